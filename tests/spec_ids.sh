#!/usr/bin/env bash
# Prints the statements of a specification that no test cites, and fails if there are any.
#
#   bash tests/spec_ids.sh SPEC_FILE TAG…      e.g. context-model.md core
#
# SPEC_FILE stands in ../shared/spec, or in the folder CORDON_SPEC; where it is absent, that is said and nothing is checked.
# A statement is a line `**ID** [tag] text`. It is cited where its id stands in a file under tests/ as a word of its own, or where
# tests/spec_exempt.txt has a line `ID reason`. A statement that begins with ⚠ describes a fault: what stands for it is what its arrow
# names (`→ DIF-9`). One with ⚠ further on, or with an arrow but no name behind it, stands for itself; the name will do too.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 2 ]; then
  sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
spec_file=$1
shift
spec=${CORDON_SPEC:-../shared/spec}/$spec_file
if [ ! -r "$spec" ]; then
  echo "SKIPPED: no specification at $spec (CORDON_SPEC names another folder)"
  exit 0
fi

cited=$(mktemp)
trap 'rm -f "$cited"' EXIT
{
  find tests -type f ! -name spec_ids.sh ! -name spec_exempt.txt -print0 |
    xargs -0 grep -ohE '\b[A-Z]{3,5}-L?[0-9]+[a-z]?\b' || true
  sed -E '/^[[:space:]]*(#|$)/d; s/[[:space:]].*//' tests/spec_exempt.txt
} | sort -u >"$cited"

awk -v tags="$*" '
  BEGIN {
    count = split(tags, list, " ")
    for (i = 1; i <= count; ++i) wanted["[" list[i] "]"] = 1
  }
  FNR == NR { cited[$1] = 1; next }
  $1 ~ /^\*\*[A-Z]+-L?[0-9]+[a-z]?\*\*$/ && ($2 in wanted) {
    id = $1
    gsub(/\*/, "", id)
    ++statements
    stands = 0
    named = ""
    rest = $0
    while (match(rest, /→ (DIF|PIT)-L?[0-9]+(, (DIF|PIT)-L?[0-9]+)*/)) {
      named = named " " substr(rest, RSTART, RLENGTH)
      rest = substr(rest, RSTART + RLENGTH)
    }
    count = split(named, names, /[^A-Z0-9a-z-]+/)
    if ($0 ~ /⚠/) {
      for (i = 1; i <= count; ++i) if (names[i] in cited) stands = 1
    }
    is_fault = $3 == "⚠" && named != ""
    if (!stands && !is_fault && (id in cited)) stands = 1
    if (!stands) {
      ++missing
      text = $0
      sub(/^[^]]*\] /, "", text)
      print id (is_fault ? " (by" named ")" : "") ": " substr(text, 1, 90)
    }
  }
  END {
    if (!statements) { print "no statement with the tag " tags; exit 1 }
    printf "%d of %d statements have no test\n", missing, statements > "/dev/stderr"
    exit missing > 0
  }
' "$cited" "$spec"
