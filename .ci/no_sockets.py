"""Runs the ``klopt`` command with every socket blocked."""

import socket
import sys
from typing import NoReturn


class _Blocked(socket.socket):
    def __init__(self, *args: object, **kwargs: object) -> None:
        sys.exit("klopt opened a socket")


def _refuse(*args: object, **kwargs: object) -> NoReturn:
    sys.exit("klopt looked up an address")


socket.socket = _Blocked  # type: ignore[misc]
socket.create_connection = _refuse
socket.getaddrinfo = _refuse

from klopt.cli import main  # noqa: E402  (the sockets must be blocked first)

main()
