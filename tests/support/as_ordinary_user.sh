#!/bin/sh
# as_ordinary_user.sh COMMAND [ARG]...: runs it as the first ordinary user of this machine, so that one
# run of the tests by root covers both. The rest of an ordinary run is by its user anyway.
if [ "$(id -u)" != 0 ]; then
    echo "SKIPPED: root is needed to become somebody else"
    exit 0
fi
user=$(getent passwd | awk -F: '$3 >= 1000 && $3 < 60000 { print $3; exit }')
if [ -z "$user" ]; then
    echo "SKIPPED: there is no ordinary user on this machine"
    exit 0
fi
become() {
    setpriv --reuid "$user" --regid "$user" --clear-groups --reset-env "$@"
}
if ! become test -x "$1"; then
    echo "SKIPPED: the ordinary user cannot reach $1"
    exit 0
fi
cd /
become "$@"
