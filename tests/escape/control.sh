#!/bin/bash
# Positive controls, run inside the sandbox: control.sh NAME KEY=VALUE...   0 where it works.
# control.sh --list prints name, modes (b, ro, ww) and users (b, root, user), one control a line.

if [ "$1" = --list ]; then
    cat <<'L'
devnull b b
devzero_urandom b b
devfull b b
dev_stdfds b b
dev_tty_absent_ok b b
read_etc b b
read_ws b b
read_outside b b
heredoc_small b b
procsub b b
pipes b b
subshell_jobs b b
ps_works b b
signals_own_children b b
python_hello b b
python_threads b b
node_hello b b
id_same b b
ls_owner b b
ls_root_owner b b
sudo_no_gain b b
su_no_gain b user
git_log b b
find_tree b b
openpty b b
proc_self b b
timeout_cmd b b
ulimit_ok b b
loopback_socket b b
unix_socketpair b b
exec_many b b
dns_files b b
date_tz b b
ws_write ww b
ws_mkdir_mv_rm ww b
ws_rename_across ww b
ws_chmod_exec ww b
ws_touch_d ww b
ws_cp_p ww b
ws_cp_a ww b
ws_hardlink ww b
ws_symlink ww b
ws_xattr ww b
ws_fifo ww b
ws_sockbind ww b
ws_tmpfile ww b
ws_mmap ww b
ws_flock ww b
ws_sqlite ww b
ws_truncate_fallocate ww b
ws_sed_i ww b
ws_tar ww b
ws_install ww b
ws_umask ww b
ws_dev_fd_redirect ww b
mktemp_file ww b
mktemp_dir ww b
mktemp_exec ww b
tmp_to_ws_mv ww b
heredoc_big ww b
tmp_sticky ww b
gcc_run ww b
python_pyc ww b
python_multiproc ww b
python_tempfile ww b
git_init_commit ww b
git_clone_local ww b
make_build ww b
npm_init ww b
npm_cache_tmp ww b
venv ww b
shm_open_ok ww b
ws_foreign_owner ww root
ws_chown_other ww root
su_to_other b root
apt_get_simulate ww b
L
    exit
fi
name=$1
shift
for assignment; do
    export "$assignment"
done
echo "@@START $name"
cd "$E_WS" || exit 90
if [ "$E_MODE" = ww ]; then
    mkdir "p.$name.$$" && cd "p.$name.$$" || exit 91
fi
set -e
case $name in
    devnull)
        echo x >/dev/null
        cat </dev/null
        : >>/dev/null
        ;;
    devzero_urandom)
        [ "$(head -c8 /dev/zero | wc -c)" = 8 ]
        [ "$(head -c8 /dev/urandom | wc -c)" = 8 ]
        ;;
    devfull)
        ! echo x 2>/dev/null >/dev/full
        ;;
    dev_stdfds)
        (echo a >/dev/stdout; echo b >/dev/stderr) 2>&1 | grep -q a
        echo c | cat /dev/stdin >/dev/null
        [ -e /dev/fd ]
        ;;
    dev_tty_absent_ok)
        [ -c /dev/tty ] && [ -c /dev/ptmx -o -L /dev/ptmx ]
        ;;
    read_etc)
        grep -q root /etc/passwd
        ;;
    read_ws)
        grep -q hello "$E_WS/in.txt"
        ;;
    read_outside)
        grep -q original "$E_OUT/file"
        ;;
    heredoc_small)
cat <<X | grep -q hey
hey
X
        ;;
    procsub)
        [ "$(cat <(echo one) <(echo two) | tr '\n' -)" = one-two- ]
        echo x > >(cat >/dev/null)
        ;;
    pipes)
        [ "$(seq 1000 | sort -rn | head -1)" = 1000 ]
        ;;
    subshell_jobs)
        (sleep 0.05; exit 3) & p=$!
        wait $p && exit 1 || [ $? = 3 ]
        ;;
    ps_works)
        ps -o pid,comm >/dev/null
        ps -e -o pid= | grep -q .
        ps -p $$ >/dev/null
        ;;
    signals_own_children)
        sleep 9 & p=$!
        kill $p
        wait $p && exit 1 || [ $? = 143 ]
        kill -0 $$
        trap 'X=1' USR1
        kill -USR1 $$
        [ "$X" = 1 ]
        ;;
    python_hello)
        /usr/bin/python3 -c 'import json,os,ssl,subprocess; assert subprocess.run(["true"]).returncode==0'
        ;;
    python_threads)
        /usr/bin/python3 -c 'import concurrent.futures as c; assert sum(c.ThreadPoolExecutor(8).map(int,range(100)))==4950'
        ;;
    node_hello)
        [ "$(node -e 'console.log(1+1)')" = 2 ]
        ;;
    id_same)
        [ "$(id -u)" = "$E_UID" ]
        [ "$(id -g)" = "$E_GID" ]
        ;;
    ls_owner)
        [ "$(stat -c %u "$E_OUT/file")" = "$E_UID" ]
        ;;
    ls_root_owner)
        [ "$(stat -c %u /etc/passwd)" = 0 ] || { echo "root-owned files appear as $(stat -c %u /etc/passwd)"; exit 1; }
        ;;
    sudo_no_gain)
        if command -v sudo >/dev/null; then ! sudo -n true 2>/dev/null; fi
        ;;
    su_no_gain)
        ! timeout 5 su root -c true </dev/null 2>/dev/null
        ;;
    git_log)
        cd "$E_BASE/repo"
        git -c safe.directory='*' log --oneline | grep -q init
        git -c safe.directory='*' status --porcelain >/dev/null
        ;;
    find_tree)
        [ "$(find "$E_OUT" -type f | wc -l)" -ge 4 ]
        ;;
    openpty)
        /usr/bin/python3 -c 'import pty,os; m,s=pty.openpty(); os.write(m,b"x\n"); assert os.read(s,9)==b"x\n"; assert pty.spawn(["true"])==0' </dev/null
        ;;
    proc_self)
        [ "$(tr '\0' ' ' </proc/self/cmdline)" ]
        [ -r /proc/meminfo ]
        [ "$(readlink /proc/self/exe)" ]
        [ -d /proc/$$ ]
        [ "$(cat /proc/sys/kernel/ostype)" = Linux ]
        ;;
    timeout_cmd)
        timeout 0.1 sleep 5 && exit 1 || [ $? = 124 ]
        ;;
    ulimit_ok)
        (ulimit -n 64; ulimit -f 1000; true)
        ;;
    loopback_socket)
        /usr/bin/python3 -c 'import socket as s; a=s.socket(); a.bind(("127.0.0.1",0)); a.listen(1); c=s.create_connection(a.getsockname()); d,_=a.accept(); c.send(b"k"); assert d.recv(1)==b"k"'
        ;;
    unix_socketpair)
        /usr/bin/python3 -c 'import socket as s; a,b=s.socketpair(); a.send(b"k"); assert b.recv(1)==b"k"; x=s.socket(s.AF_UNIX); x.bind("\0escp%d"%__import__("os").getpid()); x.listen(1); y=s.socket(s.AF_UNIX); y.connect(x.getsockname())'
        ;;
    exec_many)
        for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done
        ;;
    dns_files)
        getent passwd root >/dev/null
        getent hosts localhost >/dev/null || true
        ;;
    date_tz)
        date >/dev/null
        TZ=UTC date >/dev/null
        ;;
    ws_write)
        echo hi >f
        echo more >>f
        [ "$(wc -l <f)" = 2 ]
        : >f
        [ ! -s f ]
        ;;
    ws_mkdir_mv_rm)
        mkdir -p a/b/c
        touch a/b/c/x
        mv a a2
        rm -r a2
        [ ! -e a2 ]
        ;;
    ws_rename_across)
        mkdir d1 d2
        echo 1 >d1/f
        mv d1/f d2/g
        mkdir d1/sub
        mv d1/sub d2/
        ln d2/g d1/l
        [ -d d2/sub ] && [ -e d2/g ]
        ;;
    ws_chmod_exec)
        printf '#!/bin/sh\necho ran\n' >s
        chmod +x s
        [ "$(./s)" = ran ]
        chmod 600 s
        [ "$(stat -c %a s)" = 600 ]
        /usr/bin/python3 -c 'import os; f=os.open("s",os.O_RDONLY); os.fchmod(f,0o644)'
        [ "$(stat -c %a s)" = 644 ]
        ;;
    ws_touch_d)
        touch -d 2001-02-03 f
        [ "$(date -r f +%Y)" = 2001 ]
        touch -h -d 2002-01-01 f
        mkdir dd
        touch -d 2003-01-01 dd
        [ "$(date -r dd +%Y)" = 2003 ]
        ;;
    ws_cp_p)
        touch -d 2001-02-03 a
        chmod 640 a
        cp -p a b
        [ "$(stat -c %a%Y b)" = "$(stat -c %a%Y a)" ]
        ;;
    ws_cp_a)
        mkdir -p t/u
        echo 1 >t/u/f
        chmod 700 t/u
        ln -s f t/u/l
        cp -a t t2
        [ "$(stat -c %a t2/u)" = 700 ]
        [ -L t2/u/l ]
        ;;
    ws_hardlink)
        echo 1 >a
        ln a b
        [ "$(stat -c %h a)" = 2 ]
        ;;
    ws_symlink)
        ln -s in x
        [ "$(readlink x)" = in ]
        ln -sfn other x
        ;;
    ws_xattr)
        /usr/bin/python3 -c 'import os; open("a","w"); os.setxattr("a","user.k",b"v"); assert os.getxattr("a","user.k")==b"v"; os.removexattr("a","user.k")'
        ;;
    ws_fifo)
        mkfifo ff
        (echo q >ff)& [ "$(cat ff)" = q ]
        ;;
    ws_sockbind)
        /usr/bin/python3 -c 'import socket as s; a=s.socket(s.AF_UNIX); a.bind("so"); a.listen(1); b=s.socket(s.AF_UNIX); b.connect("so")'
        ;;
    ws_tmpfile)
        /usr/bin/python3 -c 'import os; f=os.open(".",os.O_TMPFILE|os.O_RDWR,0o600); os.write(f,b"x"); os.link("/proc/self/fd/%d"%f,"linked",src_dir_fd=os.open("/",os.O_RDONLY),follow_symlinks=True)'
        [ -e linked ]
        ;;
    ws_mmap)
        /usr/bin/python3 -c 'import mmap; f=open("m","w+b"); f.truncate(4096); m=mmap.mmap(f.fileno(),4096); m[0:2]=b"ok"; m.flush()'
        grep -q ok m
        ;;
    ws_flock)
        flock lk true
        /usr/bin/python3 -c 'import fcntl; f=open("lk2","w"); fcntl.lockf(f,fcntl.LOCK_EX)'
        ;;
    ws_sqlite)
        /usr/bin/python3 -c 'import sqlite3; c=sqlite3.connect("d.db"); c.execute("pragma journal_mode=wal"); c.execute("create table t(a)"); c.execute("insert into t values(1)"); c.commit(); c.close()'
        ;;
    ws_truncate_fallocate)
        truncate -s 10000 t
        [ "$(stat -c %s t)" = 10000 ]
        fallocate -l 20000 t2
        ;;
    ws_sed_i)
        echo aaa >f
        sed -i s/a/b/ f
        grep -q baa f
        ;;
    ws_tar)
        mkdir s
        echo 1 >s/f
        touch -d 2001-01-01 s/f
        chmod 640 s/f
        tar cf x.tar s
        mkdir o
        tar xpf x.tar -C o
        [ "$(stat -c %a%Y o/s/f)" = "$(stat -c %a%Y s/f)" ]
        ;;
    ws_install)
        echo 1 >a
        install -m 755 a b
        [ "$(stat -c %a b)" = 755 ]
        install -d -m 711 dd
        ;;
    ws_umask)
        (umask 077; echo 1 >a)
        [ "$(stat -c %a a)" = 600 ]
        ;;
    ws_dev_fd_redirect)
        echo one >o
        exec 5>>o
        echo two >/dev/fd/5 || echo two >&5
        exec 5>&-
        grep -q two o
        exec 6<o
        read -r x </dev/fd/6
        ;;
    mktemp_file)
        t=$(mktemp)
        echo x >"$t"
        rm "$t"
        ;;
    mktemp_dir)
        t=$(mktemp -d)
        echo x >"$t/f"
        rm -r "$t"
        ;;
    mktemp_exec)
        t=$(mktemp)
        printf '#!/bin/sh\necho ran\n' >"$t"
        chmod +x "$t"
        [ "$("$t")" = ran ]
        rm "$t"
        ;;
    tmp_to_ws_mv)
        t=$(mktemp)
        echo x >"$t"
        mv "$t" here
        [ -s here ]
        mkdir -p /tmp/escmv.$$/d
        echo 1 >/tmp/escmv.$$/d/f
        mv /tmp/escmv.$$ there
        [ -s there/d/f ]
        ;;
    heredoc_big)
x=$(head -c 200000 /dev/zero | tr '\0' a); [ "$(cat <<X | wc -c
$x
X
)" = 200001 ]
        ;;
    tmp_sticky)
        echo x >/tmp/escst.$$
        [ -w /tmp ]
        rm /tmp/escst.$$
        ;;
    gcc_run)
        echo 'int main(){return 0;}' >a.c
        gcc -o a a.c
        ./a
        ;;
    python_pyc)
        mkdir pk
        echo 'X=1' >pk/m.py
        env -u PYTHONDONTWRITEBYTECODE /usr/bin/python3 -c 'import sys; sys.path.insert(0,"pk"); import m'
        ls pk/__pycache__/*.pyc >/dev/null
        ;;
    python_multiproc)
/usr/bin/python3 -c '
import multiprocessing as m
def f(x): return x*x
if __name__=="__main__":
  with m.Pool(2) as p: assert p.map(f,range(4))==[0,1,4,9]
  m.Lock(); m.Queue().put(1)'
        ;;
    python_tempfile)
        /usr/bin/python3 -c 'import tempfile,os; f=tempfile.NamedTemporaryFile(); f.write(b"x"); d=tempfile.mkdtemp(); os.rmdir(d); tempfile.TemporaryFile().write(b"x")'
        ;;
    git_init_commit)
        git init -q .
        git config user.email a@b
        git config user.name n
        echo 1 >f
        git add f
        git commit -q -m m
        git log --oneline | grep -q m
        git gc -q
        git checkout -q -b br
        git stash -q 2>/dev/null || true
        ;;
    git_clone_local)
        git init -q a
        (cd a; echo 1 >f; git add f; git -c user.name=n -c user.email=e commit -q -m m)
        git clone -q a c
        [ -e c/f ]
        ;;
    make_build)
        printf 'all: x\nx: y.c\n\tgcc -c -o x y.c\n' >Makefile
        echo 'int a;' >y.c
        make -s
        [ -e x ]
        ;;
    npm_init)
        HOME=$PWD npm init -y >/dev/null 2>&1
        [ -e package.json ]
        ;;
    npm_cache_tmp)
        HOME=/tmp npm_config_cache=/tmp/escnpm.$$ npm ls >/dev/null 2>&1 || true
        ;;
    venv)
        /usr/bin/python3 -m venv --without-pip v
        v/bin/python -c 1
        ;;
    shm_open_ok)
        /usr/bin/python3 -c 'from multiprocessing import shared_memory as s; m=s.SharedMemory(create=True,size=64); m.buf[0]=1; m.close(); m.unlink()'
        ;;
    ws_foreign_owner)
        echo x >"$E_WS/foreign/f2"
        echo y >>"$E_WS/foreign/f1"
        chmod 600 "$E_WS/foreign/f1"
        touch -d 2001-01-01 "$E_WS/foreign/f1"
        ;;
    ws_chown_other)
        echo 1 >a
        chown "$E_OTHER:$E_OTHER" a
        [ "$(stat -c %u a)" = "$E_OTHER" ]
        ;;
    su_to_other)
        [ "$(su "$(id -nu "$E_OTHER")" -s /bin/sh -c 'id -u')" = "$E_OTHER" ]
        ;;
    apt_get_simulate)
        apt-cache policy bash >/dev/null 2>&1
        ;;
    *) exit 92 ;;
esac
echo "@@OK"
