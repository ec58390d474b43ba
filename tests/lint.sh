#!/usr/bin/env bash
# What can be said about the sources without running them: their format, and the coroutine forms that g++ 12
# miscompiles (see core/README.md). Needs the dev preset configured.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== clang-format-14"
git ls-files '*.hpp' '*.cpp' '*.h' '*.c' | xargs -r clang-format-14 --dry-run --Werror

echo "== detached coroutines outside the command line and the tests"
if git grep -nE '^[^/]*asio::detached' -- 'core/cordon/*.?pp' 'plugins/*.?pp'; then
  echo "A coroutine must be awaited or belong to a TaskGroup." >&2
  exit 1
fi

echo "== coroutine forms that g++ 12 miscompiles"
bash tests/coroutine_lint.sh
