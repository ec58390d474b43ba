#!/usr/bin/env bash
# Installs what is missing, builds, and passes all tests.
#
#   bash tests/run.sh          the dev preset, as root and as an ordinary user where both are possible
#   bash tests/run.sh --all    also g++, the sanitizers, the quickstart (optimised), the format and the coroutine lint
#   bash tests/run.sh PRESET…  these presets only
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/packages.sh

# shellcheck disable=SC2086  # lists of package names
cordon_install $cordon_build_packages $cordon_test_packages

presets=(dev)
checks=
case "${1-}" in
  --all) presets=(dev gcc asan tsan); checks=yes ;;
  "") ;;
  *) presets=("$@") ;;
esac

# Compiler results are shared between presets' rebuilds; the sloppiness is what precompiled headers need.
export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_C_COMPILER_LAUNCHER=ccache
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

ordinary_user=cordon-test

# The same tests as somebody who is not root: confinement takes other ways there.
run_tests_as_ordinary_user() {
  local preset=$1
  [ "$(id -u)" -eq 0 ] || return 0
  id "$ordinary_user" >/dev/null 2>&1 || useradd --create-home "$ordinary_user"
  local uid gid
  uid=$(id -u "$ordinary_user")
  gid=$(id -g "$ordinary_user")
  local as_user=(setpriv --reuid "$uid" --regid "$gid" --clear-groups
    env HOME="/home/$ordinary_user" PATH=/usr/local/bin:/usr/bin:/bin)
  if ! "${as_user[@]}" test -r "$PWD/CMakePresets.json"; then
    echo "SKIPPED: $ordinary_user cannot read $PWD; run from a checkout that others may read"
    return 0
  fi
  echo "== $preset, as $ordinary_user"
  mkdir -p ".build/$preset/Testing"
  chown -R "$uid:$gid" ".build/$preset/Testing"
  "${as_user[@]}" ctest --preset "$preset" --parallel "$(nproc)"
  chown -R 0:0 ".build/$preset/Testing"
}

for preset in "${presets[@]}"; do
  echo "== $preset"
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset"
  ctest --preset "$preset" --parallel "$(nproc)"
  [ "$preset" != dev ] || run_tests_as_ordinary_user "$preset"
done

if [ -n "$checks" ]; then
  bash tests/lint.sh
  bash examples/quickstart.sh
  # A list of what is left to show, until it is empty; then a failure.
  bash tests/spec_ids.sh context-model.md core || true
fi
