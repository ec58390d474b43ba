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

# show WORD... : prints the command and runs it; its exit status is shown, not acted on.
show() {
  printf '\n$ %s\n' "$*"
  local status=0
  "$@" || status=$?
  printf '(exit status %d)\n' "$status"
}

cd "$workspace"
PATH=$(dirname "$cordon"):$PATH

printf '\n-- A command writes in its workspace.\n'
show cordon run --workspace "$workspace" -- 'echo hi > f; cat f'

printf '\n-- A write outside of it is refused, and said to be.\n'
show cordon run --workspace "$workspace" -- "echo x > $outside/file"
printf 'files outside: %s\n' "$(ls "$outside" | wc -l)"

printf '\n-- read-only refuses the workspace too.\n'
show cordon run --workspace "$workspace" --mode read-only -- 'echo x > g'

printf '\n-- The exit status is the command'\''s.\n'
show cordon run --workspace "$workspace" -- 'exit 7'

printf '\n-- What can be enforced on this host.\n'
show cordon doctor

printf '\n-- The same composition with another backend, swapped by a patch file. No rebuild.\n'
cat > "$demo/swap.patch.yml" <<YAML
- id: sandbox
  disabled: true
- insert:
    - id: other-sandbox
      name: sandbox-none
YAML
show cat "$demo/swap.patch.yml"
show cordon confine --workspace "$workspace" -- true
show cordon confine --workspace "$workspace" --patch "$demo/swap.patch.yml" \
  --plugin-path "$(dirname "$cordon")/../../tests/fixtures/plugins" -- true
