#!/bin/bash
# nested.sh --programs DIR: confines commands where the means to do so are partly missing, as in
# containers and in other sandboxes. Each backend either runs the command confined or runs nothing;
# and what works is not less than what is listed here.
set -u

here=$(cd "$(dirname "$0")" && pwd)
[ "${1:-}" = --programs ] || { echo "usage: nested.sh --programs DIR" >&2; exit 64; }
programs=$2
if [ "$(id -u)" != 0 ]; then
    echo "SKIPPED: root is needed to try both users"
    exit 0
fi
user_id=$(getent passwd | awk -F: '$3 >= 1000 && $3 < 60000 { print $3; exit }')
if [ -z "$user_id" ]; then
    echo "SKIPPED: there is no ordinary user on this machine"
    exit 0
fi

base=$(mktemp -d /var/tmp/cordon-nested-XXXXXX) || exit 70
trap 'rm -rf "$base"' EXIT
chmod 755 "$base"
cp "$programs/escape-surroundings" "$base"
failures=0 run=0

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# try USER SITUATION BACKEND MODE EXPECTED COMMAND-PREFIX...
try() {
    local user=$1 situation=$2 backend=$3 mode=$4 expected=$5 uid=0 found label
    shift 5
    label="$user, $situation, $backend, $mode"
    [ "$user" = root ] || uid=$user_id
    rm -rf "$base/ws" "$base/out"
    mkdir "$base/ws" "$base/out"
    : >"$base/out/file"
    chmod 644 "$base/out/file"
    chown -R "$uid:$uid" "$base/ws" "$base/out"
    found=$(cd "$base/ws" && setpriv --reuid "$uid" --regid "$uid" --clear-groups "$@" \
        "$programs/escape-confine" --backend "$backend" --mode "$mode" --workspace "$base/ws" -- \
        /bin/sh -c 'echo RAN; echo x >../out/new; chmod 777 ../out/file; echo x >mine' \
        2>"$base/errors" </dev/null)
    run=$((run + 1))
    [ ! -e "$base/out/new" ] || fail "$label: wrote outside"
    [ "$(stat -c %a "$base/out/file")" = 644 ] || fail "$label: changed a mode outside"
    if [ "$found" = RAN ]; then
        [ "$mode" = read-only ] || [ -s "$base/ws/mine" ] || fail "$label: the workspace is not writable"
        [ "$mode" = workspace-write ] || [ ! -e "$base/ws/mine" ] || fail "$label: wrote in read-only"
    elif [ -n "$found" ] || [ -e "$base/ws/mine" ]; then
        fail "$label: $found"
    elif [ "$expected" = yes ]; then
        fail "$label: expected to work, found: $(head -c 200 "$base/errors")"
    elif [ ! -s "$base/errors" ]; then
        fail "$label: refused without a word"
    fi
}

# situation NAME WORKING-BACKENDS-ROOT WORKING-BACKENDS-USER COMMAND-PREFIX...
situation() {
    local name=$1 user backend mode expected works
    local -A working=([root]=$2 [user]=$3)
    shift 3
    for user in root user; do
        for backend in native bwrap landlock; do
            works=no
            [[ " ${working[$user]} " != *" $backend "* ]] || works=yes
            for mode in read-only workspace-write; do
                try "$user" "$name" "$backend" "$mode" "$works" "$@"
            done
        done
    done
}

without="$base/escape-surroundings"
situation "nothing missing" "native bwrap landlock" "native bwrap landlock" env
situation "in a user namespace" "native landlock" "native landlock" unshare -Ur
situation "in a Landlock domain" "landlock" "landlock" "$without" landlocked
situation "in bubblewrap" "native landlock" "native landlock" \
    bwrap --bind / / --dev-bind /dev /dev --proc /proc
situation "in bubblewrap without user namespaces" "landlock" "landlock" \
    bwrap --unshare-user --disable-userns --bind / / --dev-bind /dev /dev --proc /proc
situation "no user namespaces" "native bwrap landlock" "landlock" "$without" userns
situation "no mounts" "landlock" "landlock" "$without" mount
situation "no Landlock" "native" "native" "$without" landlock
situation "no supervisors" "native bwrap" "native bwrap" "$without" notify
echo "$run calls, $failures failures"
[ "$failures" = 0 ]
