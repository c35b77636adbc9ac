"""Run a file; exit with 9 if it tried to connect to another machine: ``watched.py FILE``."""

import ipaddress
import os
import runpy
import sys

CONNECTIONS: list[str] = []


def is_local(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else str(host)
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name in ("localhost", "None", "")


def watch(event: str, arguments: tuple[object, ...]) -> None:
    host: object = None
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    if not is_local(host):
        CONNECTIONS.append(f"{event} {host!r}")
        raise OSError("no network in this test")


if __name__ == "__main__":
    sys.addaudithook(watch)
    runpy.run_path(sys.argv[1], run_name="__main__")
    print(*CONNECTIONS, sep="\n", file=sys.stderr)
    sys.stdout.flush()
    os._exit(9 if CONNECTIONS else 0)
