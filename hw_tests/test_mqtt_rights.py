"""Who may speak to a table: the example's rights, certificates on both sides."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hw_tests.mosquitto import Listener, Mosquitto, needed, wait

ACL = Path(__file__).parents[1] / "systemd" / "mosquitto-acl.example"


@pytest.fixture
def guarded(tmp_path):
    """Mosquitto with the example's rights, and a password for each of its users and a stranger."""
    passwords = tmp_path / "passwd"
    tool = shutil.which("mosquitto_passwd")
    assert tool is not None
    passwords.touch()
    for user in ("wall", "homeassistant", "hall", "stranger"):
        subprocess.run([tool, "-b", str(passwords), user, f"of {user}"], check=True)
    (tmp_path / "acl").write_text(ACL.read_text())
    server = Mosquitto(
        tmp_path,
        "allow_anonymous false",
        f"password_file {passwords}",
        f"acl_file {tmp_path / 'acl'}",
    )
    yield server
    server.kill()


@needed
def test_the_example_keeps_strangers_out(guarded, linked, tmp_path):
    secret = tmp_path / "password"
    secret.write_text("of wall\n")
    rig = linked(guarded.url, commands=True, confirm=False, user="wall", password_file=str(secret))
    hall = Listener(guarded, "cavale/#", user="hall", password="of hall")
    wait(lambda: "cavale/wall/turn" in hall.retained)
    stranger = Listener(guarded, "#", user="stranger", password="of stranger")
    order = {"id": "s", "do": "pause"}
    stranger.say("cavale/wall/command", order)
    hall.say("cavale/wall/command", order)
    stranger.say("cavale/wall/status", "offline", retain=True)
    stranger.say("homeassistant/device/cavale_wall/config", "", retain=True)
    home = Listener(guarded, "#", user="homeassistant", password="of homeassistant")
    wait(lambda: "homeassistant/device/cavale_wall/config" in home.retained)
    rig.wait()
    assert not rig.shot.paused
    assert stranger.messages == []
    assert home.retained["cavale/wall/status"] == b"online"
    home.say("cavale/wall/command", {"id": "h", "do": "pause"})
    wait(lambda: rig.wait(0.1).paused)
    wait(lambda: home.of("cavale/wall/reply"))
    assert hall.of("cavale/wall/reply") == []
    nobody = Listener(guarded, user="wall", password="guessed")
    assert nobody.reason.is_failure
    for one in (hall, stranger, home, nobody):
        one.close()


@needed
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho's: a socket
def test_tls_with_our_own_authority_and_certificates_on_both_sides(tmp_path, linked):
    _certificates(tmp_path)
    server = Mosquitto(
        tmp_path,
        f"cafile {tmp_path / 'ca.crt'}",
        f"certfile {tmp_path / 'server.crt'}",
        f"keyfile {tmp_path / 'server.key'}",
        "require_certificate true",
        "use_identity_as_username true",
    )
    try:
        files = {"ca": "ca.crt", "cert": "wall.crt", "key": "wall.key"}
        files = {key: str(tmp_path / file) for key, file in files.items()}
        url = f"mqtts://localhost:{server.port}"
        with_one = linked(url, "with", **files)
        without = linked(url, "without", ca=files["ca"])
        # Without the authority a stranger's server is as good as ours: it is not spoken to.
        trusting = linked(url, "trusting", cert=files["cert"], key=files["key"])
        wait(with_one.link._client.is_connected)
        wait(lambda: without.link._complained and trusting.link._complained)
        assert not without.link._client.is_connected()
        assert not trusting.link._client.is_connected()
        for rig in (with_one, without, trusting):
            rig.link.close()
    finally:
        server.kill()


def _certificates(folder):
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    openssl("req", "-x509", *new, "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.crt")
    for name, host in (("server", "localhost"), ("wall", "wall")):
        (folder / f"{name}.ext").write_text(f"subjectAltName=DNS:{host}\n")
        openssl(
            "req",
            *new[:-2],
            "-subj",
            f"/CN={host}",
            "-keyout",
            f"{name}.key",
            "-out",
            f"{name}.csr",
        )
        openssl(
            *("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key"),
            *("-CAcreateserial", "-days", "2", "-extfile", f"{name}.ext", "-out", f"{name}.crt"),
        )
