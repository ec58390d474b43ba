# What the suite needs around a probe: a fixture that it can tell from an untouched one, the two
# users, and the book of verdicts. Sourced by run.sh.

base='' loop_device='' loop_number=''
declare -A totals=()

require_tools() {
    local tool
    for tool in flock git losetup python3 setcap setpriv unshare; do
        if ! command -v "$tool" >/dev/null; then
            echo "SKIPPED: the escape suite needs $tool"
            exit 0
        fi
    done
}

find_user() {
    getent passwd | awk -F: '$3 >= 1000 && $3 < 60000 { print $3; exit }'
}

make_fixture() {
    require_tools
    user_id=$(find_user)
    if [ -z "$user_id" ]; then
        echo "SKIPPED: there is no ordinary user on this machine"
        exit 0
    fi
    base=$(mktemp -d /var/tmp/cordon-escape-XXXXXX) || exit 70
    trap remove_fixture EXIT
    trap 'exit 130' INT TERM
    chmod 755 "$base"
    workspace=$base/ws outside=$base/out scratch=$base/scratch bin=$base/bin
    mkdir -p "$scratch" "$bin" "$base/suid/rootout" "$base/loop"
    : >"$scratch/output"
    chmod 666 "$scratch/output"
    # Inside the fixture, because the user must reach them wherever they were built.
    cp "$programs"/escape-probe "$programs"/escape-host "$here"/control.sh "$bin" || exit 70
    chmod 755 "$bin"/*
    host=$bin/escape-host
    make_raised_programs
    make_repository
    make_loop_device
    "$bin/escape-probe" --list >"$scratch/probes"
    bash "$bin/control.sh" --list >"$scratch/controls"
}

# A set-uid program and one with file capabilities, which a probe tries to use.
make_raised_programs() {
    cp "$programs/escape-raised" "$base/suid/suid"
    cp "$programs/escape-raised" "$base/suid/fcap"
    chmod 4755 "$base/suid/suid"
    setcap cap_dac_override+ep "$base/suid/fcap" || exit 70
}

make_repository() {
    git init -q "$base/repo"
    git -C "$base/repo" -c user.name=n -c user.email=e commit -q --allow-empty -m init
}

make_loop_device() {
    truncate -s 1M "$base/loop/disk.img"
    if ! loop_device=$(losetup -f --show "$base/loop/disk.img"); then
        echo "SKIPPED: the escape suite needs a loop device to be overwritten"
        exit 0
    fi
    loop_number=${loop_device#/dev/loop}
}

remove_fixture() {
    [ -z "$loop_device" ] || losetup -d "$loop_device" 2>/dev/null
    [ -z "$loop_number" ] || "$host" restore esc_mark "$loop_number" >/dev/null 2>&1
    "$host" reset "$base" 0 0 >/dev/null 2>&1 # clears immutable flags
    rm -rf "$base" /tmp/escst.* /tmp/esc_mark* /tmp/escmv.* /tmp/escnpm.*
}

uid() {
    if [ "$user" = root ]; then echo 0; else echo "$user_id"; fi
}

# as_user COMMAND...: with a clean environment, ended after 40 seconds.
as_user() {
    "$host" run "$base" "$(uid)" 40 "$@"
}

reset_fixture() {
    "$host" reset "$base" "$(uid)" "$(uid)"
}

# set_wrapper MODE WORKSPACE: the prefix for one call, into the array `wrapper`.
set_wrapper() {
    local word long=read-only
    [ "$1" = ro ] || long=workspace-write
    wrapper=()
    for word in "${prefix[@]}"; do
        word=${word//@MODE@/$long}
        wrapper+=("${word//@WS@/$2}")
    done
}

begin_verdicts() {
    verdicts=$scratch/verdicts.$user.$mode
    : >"$verdicts"
    set_wrapper "$mode" "$workspace"
    effective=" $(tr '\n' ' ' <"$here/calibration/effective.$user.$mode" 2>/dev/null)"
    unsupported=" $(tr '\n' ' ' <"$here/calibration/posfail.$user.$mode" 2>/dev/null)"
    limits=" $(awk -v backend="$backend" -v user="$user" '$1 == backend && $2 == user { print $3 }' "$here/limits" | tr '\n' ' ')"
}

# say NAME VERDICT DETAIL
say() {
    printf '%s\t%s\n' "$1" "$2" >>"$verdicts"
    totals[$2]=$((${totals[$2]:-0} + 1))
    case $2 in
        ESCAPE | BROKEN | DEAD | OPEN) ;;
        *) [ -n "$verbose" ] || return 0 ;;
    esac
    printf '%-8s %-5s %-2s %-22s %s\n' "$2" "$user" "$mode" "$1" "$3"
}

write_calibration() {
    awk -F'\t' '$2 == "ESCAPE" || $2 == "OPEN" { print $1 }' "$verdicts" \
        >"$here/calibration/effective.$user.$mode"
    awk -F'\t' '$2 == "BROKEN" { print $1 }' "$verdicts" >"$here/calibration/posfail.$user.$mode"
}

print_totals() {
    local verdict line=TOTAL
    for verdict in PASS ESCAPE BROKEN DEAD SKIP OPEN closed OK LIMIT; do
        line="$line  $verdict ${totals[$verdict]:-0}"
    done
    echo "$line"
    [ "${totals[ESCAPE]:-0}" = 0 ] || exit 1
    [ "$((${totals[BROKEN]:-0} + ${totals[DEAD]:-0}))" = 0 ] || exit 2
}
