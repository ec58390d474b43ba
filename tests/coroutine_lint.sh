#!/usr/bin/env bash
# Fails where a source holds a coroutine form that g++ 12 miscompiles. Needs the dev preset configured and built.
#
#   bash tests/coroutine_lint.sh [SOURCE...]    default: every source of the product that awaits something
set -euo pipefail
cd "$(dirname "$0")/.."

sources=("$@")
if [ ${#sources[@]} -eq 0 ]; then
  mapfile -t sources < <(git grep -l co_await -- 'core/*.cpp' 'plugins/*.cpp' 'examples/*.cpp')
fi

lint_one() {
  # A source that is not in the compile commands (an example built elsewhere) has nothing to be checked with.
  grep -q "\"file\": \".*/$1\"" .build/dev/compile_commands.json || return 0
  clang-query-16 -p .build/dev -f tests/support/coroutine_lint.query "$1" 2>&1 |
    grep -E "^$PWD/(.build/dev/rooms/[a-z]+/cordon|core|plugins|tests|examples)/.*binds here" || true
}
export -f lint_one
export PWD

found=$(printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -I{} bash -c 'lint_one {}' | sort -u)
if [ -n "$found" ]; then
  printf '%s\n' "$found"
  echo "Give the object a name of its own before it is awaited with (core/README.md)." >&2
  exit 1
fi
