#!/usr/bin/env bash
# readme_output.sh PROGRAM PAGE: whether the program prints what the `text` blocks of the page say.
set -euo pipefail
blocks=$(dirname "$0")/readme_blocks.awk
diff -u --label "$2" --label "what it prints" <(awk -v language=text -f "$blocks" "$2") <("$1")
