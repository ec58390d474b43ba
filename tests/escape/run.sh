#!/bin/bash
# The escape suite: tries to get out of a sandbox and looks from outside whether anything changed.
#
#   run.sh --programs DIR [options] -- COMMAND PREFIX
#
# The prefix runs what follows it confined; @MODE@ in it becomes read-only or workspace-write, @WS@
# the workspace:
#
#   run.sh --programs .build/dev/tests/escape -- \
#       .build/dev/tests/escape/escape-confine --backend native --mode @MODE@ --workspace @WS@ --
#
#   --users LIST      root, user or both (default)
#   --modes LIST      ro, ww or both (default)
#   --only REGEX      probes and controls whose name matches
#   --selection FILE  probes and controls named in FILE, one a line
#   --limits BACKEND  what is known to fail with this one (file `limits`)
#   --calibrate       run unconfined and note which probes have an effect on this kernel
#   --verbose         every verdict, not only the remarkable ones
#
# Verdicts: PASS contained, ESCAPE the host changed, OPEN/closed a channel that is reported and not
# counted, OK/BROKEN a positive control, SKIP no effect even unconfined here, DEAD the sandbox did
# not start the probe, LIMIT a control that is known to fail (file `limits`). Exit: 1 for any ESCAPE, else 2 for any BROKEN or DEAD, else 0.
set -u

here=$(cd "$(dirname "$0")" && pwd)
users='root user' modes='ro ww' only=. selection='' verbose='' calibrate='' programs='' backend=''
original=("$@")
while [ $# -gt 0 ]; do
    case $1 in
        --programs) programs=$2; shift 2 ;;
        --users) [ "$2" = both ] || users=$2; shift 2 ;;
        --modes) [ "$2" = both ] || modes=$2; shift 2 ;;
        --only) only=$2; shift 2 ;;
        --selection) selection=$2; shift 2 ;;
        --limits) backend=$2; shift 2 ;;
        --calibrate) calibrate=yes; shift ;;
        --verbose) verbose=yes; shift ;;
        --) shift; break ;;
        *) echo "run.sh: unknown option $1" >&2; exit 64 ;;
    esac
done
prefix=("$@")

if [ "$(id -u)" != 0 ]; then
    echo "SKIPPED: the escape suite needs root, which looks at the host from outside"
    exit 0
fi
# Mounts stay private to the run, and runs take turns: probes leave marks in shared places.
if [ -z "${ESCAPE_IN_NAMESPACE:-}" ]; then
    ESCAPE_IN_NAMESPACE=1 exec flock -o /var/lock/cordon-escape.lock \
        unshare -m --propagation private "$0" "${original[@]}"
fi

. "$here/fixture.sh"
. "$here/probes.sh"
. "$here/controls.sh"

# selected NAME: whether this run is about it.
selected() {
    if [ -n "$selection" ]; then
        grep -qx "$1" "$selection"
    else
        [[ $1 =~ $only ]]
    fi
}

# applies MODES USERS: whether an entry of a list applies to the current mode and user.
applies() {
    case $1 in b | "$mode") ;; *) return 1 ;; esac
    case $2 in b | "$user") ;; *) return 1 ;; esac
}

run_lists() {
    local name category kind for_modes for_users flags
    while read -r name category kind for_modes for_users flags; do
        if applies "$for_modes" "$for_users" && selected "$name"; then
            run_probe "$name" "$category" "$kind" "$flags"
        fi
    done <"$scratch/probes"
    while read -r name for_modes for_users; do
        if applies "$for_modes" "$for_users" && selected "$name"; then
            run_control "$name"
        fi
    done <"$scratch/controls"
    selected io_rc && run_transparency
}

make_fixture
for user in $users; do
    for mode in $modes; do
        begin_verdicts
        run_lists
        [ -z "$calibrate" ] || write_calibration
    done
done
print_totals
