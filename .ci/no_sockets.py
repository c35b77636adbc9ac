"""Runs the ``klopt`` command with every socket refused, as on a machine without a network."""

import socket
import sys
from typing import NoReturn


class _RefusedSocket(socket.socket):
    # An OSError, as the system itself would give: spaCy's own imports try whether this machine has
    # IPv6 and go on without; whoever really needs the network stops here.
    def __init__(self, *args: object, **kwargs: object) -> None:
        raise OSError("sockets are refused")


def _refuse(*args: object, **kwargs: object) -> NoReturn:
    sys.exit("klopt reached for the network")


socket.socket = _RefusedSocket  # type: ignore[misc]
socket.create_connection = _refuse
socket.getaddrinfo = _refuse

from klopt.cli import main  # noqa: E402  (the sockets must be refused first)

main()
