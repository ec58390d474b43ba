#!/usr/bin/env bash
# Measures the container beside the npm package whose model it mirrors, in one run on one machine: the same work under the same
# names (context_bench.cpp, context_bench.mjs). Builds the release preset's benchmark and installs the package into a temporary
# folder; without Node, or without the network, only our half is measured, and that is said. Times are CPU times, which other work
# on the machine changes little.
#
#   bash tests/bench/context.sh [PLUGINS]      plugins of the composition whose memory is compared, 10000 by default
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/packages.sh
plugins=${1:-10000}

# shellcheck disable=SC2086  # lists of package names
cordon_install $cordon_build_packages $cordon_bench_packages
cmake --preset release >/dev/null
cmake --build --preset release --target cordon_bench_context >/dev/null
bench=.build/release/bench/cordon_bench_context

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Their half first: its absence is known before anybody waits for ours.
have_node=
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "SKIPPED: the npm package is not measured, because node or npm is not installed"
elif ! (cd "$folder" && npm init -y && npm install --no-audit --no-fund @deepseek-ai/cordis) >"$folder/npm.log" 2>&1; then
  echo "SKIPPED: the npm package is not measured, because it cannot be installed:"
  tail -n 3 "$folder/npm.log"
else
  have_node=yes
  cp tests/bench/context_bench.mjs "$folder"
fi

: >"$folder/theirs"
if [ -n "$have_node" ]; then
  echo "Node $(node --version), @deepseek-ai/cordis $(cd "$folder" && node -p \
    'JSON.parse(require("fs").readFileSync("node_modules/@deepseek-ai/cordis/package.json")).version'); a minute or more"
  (cd "$folder" && node context_bench.mjs) >"$folder/theirs"
  theirs_memory=$(cd "$folder" && node context_bench.mjs --memory "$plugins")
fi
"$bench" --benchmark_format=csv 2>/dev/null >"$folder/ours"
ours_memory=$("$bench" --memory "$plugins")

awk -F '\t' -v theirs="$folder/theirs" '
  function shown(nanoseconds) {
    return nanoseconds >= 1e6 ? sprintf("%.1f ms", nanoseconds / 1e6) \
         : nanoseconds >= 1e4 ? sprintf("%.1f us", nanoseconds / 1e3) : sprintf("%.0f ns", nanoseconds)
  }
  BEGIN {
    while ((getline line < theirs) > 0) { split(line, part, "\t"); slow[part[1]] = part[2] }
    printf "%-40s %12s %12s %8s\n", "", "cordon", "npm package", "times"
  }
  # name,iterations,real_time,cpu_time,time_unit,…
  /^"/ {
    count = split($0, field, ",")
    name = field[1]
    gsub(/"/, "", name)
    if (name ~ /_(BigO|RMS)$/) next
    took = field[4] * (field[5] == "ms" ? 1e6 : field[5] == "us" ? 1e3 : 1)
    if (match(name, /composition\/[0-9]+$/)) {
      size = substr(name, RSTART + 12)
      ours_each = ours_each sprintf("  %s: %s", size, shown(took / size))
      if (name in slow) theirs_each = theirs_each sprintf("  %s: %s", size, shown(slow[name] / size))
    }
    if (name in slow) printf "%-40s %12s %12s %7.0fx\n", name, shown(took), shown(slow[name]), slow[name] / took
    else printf "%-40s %12s\n", name, shown(took)
  }
  END {
    print "each plugin of a composition, by its size:" ours_each
    if (theirs_each != "") print "                          the npm package:" theirs_each
  }
' "$folder/ours"

read -r peak idle <<<"$ours_memory"
echo "memory of $plugins plugins: $((peak / 1024)) MiB at most, $(((peak - idle) / 1024)) MiB of it for them"
if [ -n "$have_node" ]; then
  read -r their_peak their_idle <<<"$theirs_memory"
  echo "          the npm package: $((their_peak / 1024)) MiB at most, $(((their_peak - their_idle) / 1024)) MiB of it for them," \
    "$(awk "BEGIN { printf \"%.1f\", ($their_peak - $their_idle) / ($peak - $idle) }") times ours"
fi
