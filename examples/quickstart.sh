#!/usr/bin/env bash
# Installs what is needed, builds Cordon, and shows its main job: commands that can write in their workspace and
# nowhere else, under a composition whose parts are swapped by a file.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/packages.sh

# shellcheck disable=SC2086  # a list of package names
cordon_install $cordon_build_packages doctest-dev
cmake --preset release >/dev/null
cmake --build --preset release --target cordon_quickstart

cordon=$PWD/.build/release/stage/bin/cordon
demo=$(mktemp -d /var/tmp/cordon-quickstart-XXXXXX)
trap 'rm -rf "$demo"' EXIT
workspace=$demo/workspace
outside=$demo/outside
mkdir "$workspace" "$outside"

# show STATUS WORD... : prints the command, runs it, and stops where it does not end as it should.
show() {
  local wanted=$1 status=0
  shift
  printf '\n$'
  local word
  for word in "$@"; do
    case $word in *[!A-Za-z0-9_./:=-]*) printf ' %s' "${word@Q}" ;; *) printf ' %s' "$word" ;; esac
  done
  printf '\n'
  "$@" || status=$?
  printf '(exit status %d)\n' "$status"
  [ "$status" -eq "$wanted" ] || { echo "expected exit status $wanted" >&2; exit 1; }
}

cd "$workspace"
PATH=$(dirname "$cordon"):$PATH

printf '\n-- A command writes in its workspace.\n'
show 0 cordon run --workspace "$workspace" -- 'echo hi > f; cat f'

printf '\n-- A write outside of it is refused, and said to be.\n'
show 1 cordon run --workspace "$workspace" -- "echo x > $outside/file"
printf 'files outside: %s\n' "$(ls "$outside" | wc -l)"

printf '\n-- read-only refuses the workspace too.\n'
show 1 cordon run --workspace "$workspace" --mode read-only -- 'echo x > g'

printf '\n-- The exit status is the command'\''s.\n'
show 7 cordon run --workspace "$workspace" -- 'exit 7'

printf '\n-- What can be enforced on this host.\n'
show 0 cordon doctor

printf '\n-- The same composition with another backend, swapped by a patch file. No rebuild.\n'
cat > "$demo/swap.patch.yml" <<YAML
- id: sandbox
  disabled: true
- insert:
    - id: other-sandbox
      name: sandbox-none
YAML
show 0 cat "$demo/swap.patch.yml"
plugins=$(dirname "$cordon")/../../tests/fixtures/plugins
show 0 cordon run --workspace "$workspace" --json -- 'echo same'
show 0 cordon run --workspace "$workspace" --json --patch "$demo/swap.patch.yml" --plugin-path "$plugins" -- 'echo same'
