"""A server on this computer that answers the hub's library as the hub does, with its errors."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pytest

# What the hub writes into the header X-Error-Code.
GATED, NO_REPOSITORY, NO_ENTRY = "GatedRepo", "RepoNotFound", "EntryNotFound"


class Hub:
    """Repositories, and the errors that the server answers with.

    Args:
        repositories: the content of each file by its name, of each repository.
    """

    def __init__(self, repositories: Mapping[str, Mapping[str, bytes]]) -> None:
        self.repositories = repositories
        # By repository: the status and the code of the error that each of its files answers with.
        self.errors: dict[str, tuple[int, str]] = {}
        # The status of all answers, where it is no success.
        self.status = 0
        # The names of files that were sent.
        self.sent: list[str] = []
        self.address = ""

    def environment(self, home: Path) -> dict[str, str]:
        """The variables with which the hub's library asks this server, with a cache of its own."""
        return {"HF_ENDPOINT": self.address, "HF_HOME": str(home), "HF_HUB_OFFLINE": "0"}

    def use(self, patch: pytest.MonkeyPatch, home: Path) -> None:
        """Let the hub's library, which has read its variables, ask this server."""
        from huggingface_hub import constants

        url = f"{self.address}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        patch.setattr(constants, "ENDPOINT", self.address)
        patch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", url)
        patch.setattr(constants, "HF_HUB_CACHE", str(home / "hub"))
        patch.setattr(constants, "HF_HUB_OFFLINE", False)


@contextmanager
def serve(repositories: Mapping[str, Mapping[str, bytes]]) -> Iterator[Hub]:
    """Serve repositories while the block runs."""
    hub = Hub(repositories)

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(body=True)

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def log_message(self, *_: Any) -> None:
            pass

        def _answer(self, *, body: bool) -> None:
            path = unquote(urlsplit(self.path).path).strip("/")
            if hub.status:
                self._send(hub.status, b"", body=body)
            elif path.startswith("api/models/"):
                owner, name, *rest = path.removeprefix("api/models/").split("/")
                self._describe(f"{owner}/{name}", rest, body=body)
            else:
                owner, name, _, _, *file = path.split("/")
                self._file(f"{owner}/{name}", "/".join(file), body=body)

        def _describe(self, repository: str, rest: list[str], *, body: bool) -> None:
            files = hub.repositories.get(repository)
            listed: Any
            if files is None:
                self._error(404, NO_REPOSITORY, body=body)
                return
            if rest[:1] == ["tree"]:
                listed = [
                    {"type": "file", "path": name, "size": len(content), "oid": _digest(content)}
                    for name, content in files.items()
                ]
            else:
                listed = {
                    "id": repository,
                    "modelId": repository,
                    "sha": _digest(repository.encode()),
                    "siblings": [
                        {"rfilename": name, "size": len(content)} for name, content in files.items()
                    ],
                }
            self._send(200, json.dumps(listed).encode(), body=body)

        def _file(self, repository: str, name: str, *, body: bool) -> None:
            content = hub.repositories.get(repository, {}).get(name)
            if repository in hub.errors or content is None:
                self._error(*hub.errors.get(repository, (404, NO_ENTRY)), body=body)
                return
            if body:
                hub.sent.append(f"{repository}/{name}")
            headers = {
                "ETag": f'"{_digest(content)}"',
                "X-Repo-Commit": _digest(repository.encode()),
            }
            self._send(200, content, headers, body=body)

        def _error(self, status: int, code: str, *, body: bool) -> None:
            self._send(status, b"", {"X-Error-Code": code, "X-Error-Message": code}, body=body)

        def _send(
            self,
            status: int,
            content: bytes,
            headers: Mapping[str, str] | None = None,
            *,
            body: bool,
        ) -> None:
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if body:
                self.wfile.write(content)

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        hub.address = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield hub
        finally:
            server.shutdown()
            thread.join()


def _digest(content: bytes) -> str:
    return hashlib.sha1(content, usedforsecurity=False).hexdigest()
