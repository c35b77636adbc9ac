"""HTTP as uvicorn speaks it, with a bound to what comes beside the bodies of requests."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from klopt.server.limits import HEAD_BYTES


class BoundedHttp(HttpToolsProtocol):
    """Sends away who sends more than that without a body, before anything of it is looked at."""

    _beside_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Reads on, unless too much was read."""
        self._beside_bytes += len(data)
        super().data_received(data)
        if self._beside_bytes > HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response(f"address and headers have more than {HEAD_BYTES} bytes")

    def on_headers_complete(self) -> None:
        """Counts anew."""
        self._beside_bytes = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Counts anew."""
        self._beside_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Counts anew."""
        self._beside_bytes = 0
        super().on_message_complete()
