# What a Debian 12 machine needs, and the function that installs what is missing of it.
# Sourced by examples/quickstart.sh and tests/run.sh.

# To build Cordon and to run it.
cordon_build_packages="clang-16 cmake ninja-build libboost1.81-dev libboost-json1.81-dev libyaml-cpp-dev
  libfmt-dev libspdlog-dev libcli11-dev bubblewrap bash"

# To build and run every test under every preset as well.
cordon_test_packages="doctest-dev g++ libclang-rt-16-dev clang-format-14 clang-tools-16 ccache git util-linux
  libcap2-bin python3 procps"

# For the measurements in tests/bench only.
cordon_bench_packages="libbenchmark-dev"

# cordon_install PACKAGE...
cordon_install() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "Installing: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "Not installed, and neither root nor sudo is here: ${missing[*]}" >&2; return 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}
