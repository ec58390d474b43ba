# Positive controls: what must keep working inside, and that the sandbox adds and takes nothing of
# its own. Sourced by run.sh.

run_control() { # NAME
    local name=$1 status
    if [ -z "$calibrate" ] && [[ $unsupported == *" $name "* ]]; then
        say "$name" SKIP "fails here even unconfined"
        return
    fi
    reset_fixture
    if [ "$name" = ws_foreign_owner ]; then
        mkdir -p "$workspace/foreign"
        echo a >"$workspace/foreign/f1"
        chown -R "$user_id:$user_id" "$workspace/foreign"
    fi
    cd "$workspace" || exit 70
    as_user "${wrapper[@]}" "$bin/control.sh" "$name" E_OUT="$outside" E_WS="$workspace" \
        E_MODE="$mode" E_UID="$(uid)" E_GID="$(uid)" E_BASE="$base" E_OTHER="$user_id" \
        </dev/null >"$scratch/output" 2>&1
    status=$?
    cd /
    if [ $status = 0 ] && grep -q @@OK "$scratch/output"; then
        say "$name" OK ''
    elif [[ $limits == *" $name "* ]]; then
        say "$name" LIMIT ''
    else
        say "$name" BROKEN "status $status $(grep -v @@ "$scratch/output" | tail -2 | head -c 150 | tr '\n\t' '  ')"
    fi
}

expect() { # NAME FOUND WANTED
    if [ "$2" = "$3" ]; then
        say "$1" OK ''
    else
        say "$1" BROKEN "found [$(printf %s "$2" | head -c 60 | tr '\n\t' '  ')], expected [$3]"
    fi
}

confined() {
    as_user "${wrapper[@]}" "$@"
}

run_transparency() {
    local status
    reset_fixture
    cd "$workspace" || exit 70
    confined /bin/sh -c 'exit 7' </dev/null >/dev/null 2>&1
    expect io_rc $? 7
    confined /bin/sh -c 'kill -TERM $$' </dev/null >/dev/null 2>&1
    expect io_sigterm $? 143
    confined /bin/sh -c 'kill -SEGV $$' </dev/null >/dev/null 2>&1
    expect io_sigsegv $? 139
    expect io_stdin "$(echo hi | confined /bin/cat 2>&1)" hi
    expect io_bigout "$(confined /usr/bin/seq 200000 2>/dev/null </dev/null | md5sum)" \
        "$(seq 200000 | md5sum)"
    expect io_args "$(confined /usr/bin/printf '%s|' 'a b' '' '*' '$x' 2>/dev/null </dev/null)" \
        'a b||*|$x|'
    expect io_env "$(confined /bin/sh -c 'echo $ESC_FOO' 2>/dev/null </dev/null)" bar
    expect io_cwd "$(confined /bin/pwd 2>/dev/null </dev/null)" "$workspace"
    expect io_stderr "$(confined /bin/sh -c 'echo o; echo e >&2' 2>&1 >/dev/null </dev/null)" e
    confined /nonexistent/cmd </dev/null >/dev/null 2>&1
    status=$?
    [ $status -ge 1 ] && status=fails
    expect io_noexec $status fails
    cd /
}
