# One probe: prepare, fingerprint, run confined, fingerprint again, judge. Sourced by run.sh.
#
# Flags of a probe:
#   h  a process of the host with sockets and an open descriptor, and one to be killed
#   i  inherited descriptors 7 (folder), 8 (file, reading) and 9 (file, writing)
#   s  standard input is a file outside, opened for reading        S  … is a folder outside
#   p  runs on a terminal                                          d  leaves a process behind
#   n  the sandbox itself starts in a mount namespace of its own   x  a hard link made before
#   l  the host mounts a file system while the probe runs          2  a second call follows

helper_id=0 victim_id=0 victim_parent=0 helper_flag='' started_helper=''

run_probe() { # NAME CATEGORY KIND FLAGS
    local name=$1 kind=$3 flags=$4
    local probe_mark=esc_mark_$1 opened='' late='' difference=''
    if [ -z "$calibrate" ] && [[ $effective != *" $name "* ]]; then
        say "$name" SKIP "no effect here even unconfined"
        return
    fi
    prepare_probe
    local call=("${wrapper[@]}" "$bin/escape-probe" "$name" E_OUT="$outside" E_WS="$workspace"
        E_MODE="$mode" E_MARK="$probe_mark" E_BASE="$base" E_HPID="$helper_id"
        E_VPID="$victim_id" E_LOOP="$loop_number" E_FLAG="$helper_flag")
    cd "$workspace" || exit 70
    start_probe "${call[@]}"
    cd /
    look_for_effects
    "$host" check "$base" "$mode" "$probe_mark" "$loop_number" \
        "$scratch/before" "$scratch/after" "$scratch/difference"
    read -r difference <"$scratch/difference" || :
    end_helper
    [ "$name" != daemon ] || "$host" daemons kill >/dev/null
    if [ "$flags" = l ]; then
        difference=${late:+wrote into a file system that the host mounted later}
    fi
    judge_probe
}

prepare_probe() {
    helper_id=0 victim_id=0 helper_flag='' started_helper=''
    case $flags in
        x | h | l) reset_fixture ;;
        *)
            "$host" prepare "$base" "$(uid)" "$(uid)" "$mode" "$probe_mark" "$loop_number" \
                >"$scratch/before"
            return
            ;;
    esac
    case $flags in
        x) ln "$outside/file" "$workspace/pre_hl" ;;
        h) start_helper ;;
        l) mount --bind "$outside/shared" "$outside/shared" && mount --make-shared "$outside/shared" ;;
    esac
    "$host" fingerprint "$base" "$mode" "$probe_mark" "$loop_number" >"$scratch/before"
}

start_helper() {
    local tries=0
    rm -f "$scratch/helper"
    as_user "$host" helper "$base" >"$scratch/helper" 2>/dev/null &
    started_helper=$!
    while [ ! -s "$scratch/helper" ] && [ $tries -lt 100 ]; do
        sleep 0.01
        tries=$((tries + 1))
    done
    read -r helper_id helper_flag _ <"$scratch/helper"
    setpriv --reuid "$(uid)" --regid "$(uid)" --clear-groups sleep 30 </dev/null >/dev/null 2>&1 &
    victim_id=$! victim_parent=$!
    sleep 0.03
}

end_helper() {
    [ -n "$started_helper" ] || return 0
    kill "$helper_id" "$victim_id" 2>/dev/null
    wait "$started_helper" "$victim_parent" 2>/dev/null
}

start_probe() { # COMMAND...
    local output=$scratch/output
    case $flags in
        i) as_user "$@" </dev/null >"$output" 2>&1 7<"$outside" 8<"$outside/file" 9<>"$outside/inh" ;;
        s) as_user "$@" <"$outside/file" >"$output" 2>&1 ;;
        S) as_user "$@" <"$outside" >"$output" 2>&1 ;;
        p) as_user "$host" pty "$outside" "$@" </dev/null >"$output" 2>&1 ;;
        n)
            unshare -m --propagation private "$host" run "$base" "$(uid)" 40 "$@" \
                </dev/null >"$output" 2>&1
            ;;
        l) start_late "$@" ;;
        *) as_user "$@" </dev/null >"$output" 2>&1 ;;
    esac
    status=$?
}

start_late() {
    local tries=0 running
    as_user "$@" </dev/null >"$scratch/output" 2>&1 &
    running=$!
    while ! grep -q @@START "$scratch/output" && [ $tries -lt 150 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
    sleep 0.05
    mount -t tmpfs -o mode=777,size=1m esclate "$outside/shared/mp"
    : >"$outside/shared/mp/flag"
    wait "$running"
}

# What a comparison of files cannot show.
look_for_effects() {
    case $flags in
        d) look_for_daemons ;;
        l) look_under_late_mount ;;
        h)
            if [[ $name == *kill ]] && ! kill -0 "$victim_id" 2>/dev/null; then
                opened=yes
            fi
            ;;
        2) start_second_call ;;
        x) grep -q PWN "$outside/file" && tell "wrote outside through a hard link made before" ;;
    esac
    case $name in
        sysv | mq) "$host" ipc "$name" || sed -i 's/^@@OPEN/@@private/' "$scratch/output" ;;
    esac
}

look_for_daemons() {
    if [ "$name" != daemon_live ]; then
        sleep 0.9
        return
    fi
    sleep 0.05
    [ "$("$host" daemons)" = 0 ] || tell "a background process survives the call"
    "$host" daemons kill >/dev/null
}

look_under_late_mount() {
    [ -e "$outside/shared/mp/late_new" ] && late=yes
    umount "$outside/shared/mp" 2>/dev/null
    [ -e "$outside/shared/mp/late_new" ] && late=yes
    umount "$outside/shared" 2>/dev/null
}

# The workspace of the second call is a folder that the first one could replace.
start_second_call() {
    set_wrapper "$mode" "$workspace/sub"
    as_user "${wrapper[@]}" /bin/sh -c "echo x >$workspace/sub/second" \
        </dev/null >>"$scratch/output" 2>&1
    set_wrapper "$mode" "$workspace"
    [ ! -e "$outside/second" ] || tell "a second call wrote outside through its swapped root"
    rm -f "$outside/second"
}

tell() {
    echo "@@OPEN $1" >>"$scratch/output"
}

said() { # MARKER: what the probe said after it, first line
    sed -n "s/^@@$1 //p" "$scratch/output" | head -1
}

judge_probe() {
    local output=$scratch/output
    if ! grep -aq @@START "$output"; then
        say "$name" DEAD "status $status $(head -c 160 "$output" | tr '\n\t' '  ')"
    elif [ "$kind" = R ]; then
        if grep -aq @@OPEN "$output" || [ -n "$opened" ]; then
            say "$name" OPEN "$(said OPEN)"
        else
            say "$name" closed ''
        fi
    elif [ -n "$difference" ]; then
        say "$name" ESCAPE "$difference"
    elif grep -aq @@ESC "$output"; then
        say "$name" ESCAPE "$(said ESC)"
    else
        say "$name" PASS "$(grep -a '^  ' "$output" | tail -1 | cut -c1-90)"
    fi
    if [ -n "$difference" ] || grep -aqE '@@(ESC|OPEN)' "$output"; then
        "$host" restore "$probe_mark" "$loop_number" >/dev/null 2>&1
    fi
}
