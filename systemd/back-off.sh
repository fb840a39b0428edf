#!/bin/sh
# Before the daemon starts: one that failed again and again is started less and less often, up to
# once a minute. systemd does that by itself from 254 on; Bookworm has 252. The folder is gone when
# the service was stopped by hand, and a run of ten minutes starts the count anew.
version=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
[ "${version:-0}" -lt 254 ] || exit 0
file=$RUNTIME_DIRECTORY/starts
find "$RUNTIME_DIRECTORY" -name starts -mmin +10 -delete
count=$(cat "$file" 2>/dev/null || echo 0)
echo $((count + 1)) >"$file"
pause=$(((1 << (count < 6 ? count : 6)) - 1)) # 0 1 3 7 15 31 63
sleep "$pause"
touch "$file"
