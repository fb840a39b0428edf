#!/bin/sh
# The table's own command, for `sudo cavale doctor`, `learn`, `history` and the rest: as the service's
# user and groups, with its table, its games and its tags. systemd/install.py puts it in place.
if [ "$(id -u)" != 0 ]; then
    echo "cavale: the table's games belong to the service: sudo cavale $*" >&2
    exit 1
fi
export STATE_DIRECTORY=/var/lib/cavale CAVALE_TABLE=/etc/cavale/table.toml HOME=/var/lib/cavale
cd "$STATE_DIRECTORY" || exit 1 # the pin library writes its pipes where it is started
exec setpriv --reuid=cavale --regid=cavale --groups=cavale,gpio,i2c,dialout,systemd-journal \
    --no-new-privs /opt/cavale/bin/cavale "$@"
