"""Starts a server: `with orrery.serve(scene="arena") as server:`."""

from __future__ import annotations

import collections
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Mapping, Sequence

from ._client import World

#: What the server prints once its world answers.
READY = "Orrery is ready: "

#: Lines of output that an error quotes.
QUOTED_LINES = 20

#: Seconds in which a server that was told to stop must end.
STOP_SECONDS = 20.0


class Server:
    """A running server. It ends with `close`, with its `with` block, or with this process."""

    def __init__(self, process: subprocess.Popen[str], folder: str | None, timeout: float) -> None:
        self.process = process
        #: Temporary folder of its data, or None.
        self.folder = folder
        #: Its main world.
        self.world: World
        self._lines: collections.deque[str] = collections.deque(maxlen=QUOTED_LINES)
        self._is_ready = threading.Event()
        self._url = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        has_ended = self._is_ready.wait(timeout)
        if self._url == "":
            self.close()
            why = "ended before it was ready" if has_ended else f"was not ready within {timeout:g} s"
            raise RuntimeError(f"The server {why}. Its last lines:\n" + "\n".join(self._lines))
        #: Address of the server.
        self.url = self._url

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.append(line.rstrip())
            if READY in line:
                url = line.split(READY)[1].split()[0].rstrip("/")
                self.world, self._url = World(url), url
                self._is_ready.set()
        self._is_ready.set()

    def close(self) -> None:
        """Stops the server, and waits until it ended."""
        if self._url != "":
            self.world.close()
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._reader.join()
        if self.process.stdout is not None:
            self.process.stdout.close()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def refuse_options(server: str, options: Mapping[str, Any]) -> None:
    """Refuses options of `serve` if a server is given: they would have no effect."""
    if options:
        names = ", ".join(options)
        raise TypeError(
            f"The server {server} runs already, so these options have no effect: {names}. Omit them, or omit server."
        )


def serve(
    *,
    scene: str | None = None,
    engine: str | None = "node",
    bare: bool = False,
    seed: int | None = None,
    port: int | None = None,
    data: str | None = None,
    command: Sequence[str] | None = None,
    package: str | None = None,
    arguments: Sequence[str] = (),
    timeout: float = 300.0,
) -> Server:
    """Starts a server and returns once its world answers.

    Args:
        scene: Scene to start with: a name such as "arena", or the path of a file.
        engine: "node" needs no browser and takes no pictures. "browser" runs a headless browser.
            None leaves this to `arguments`.
        bare: Only the logic of a game, without registries and pictures.
        seed: Seed of all draws.
        port: Port on this machine. Left out: a free one.
        data: Folder for worlds and files. Left out: a temporary one, with the journal in memory.
        command: Command that starts the program, such as ["npx", "orrery"].
        package: Folder of the npm package or of a clone. Left out: that of the environment variable
            ORRERY_PACKAGE, or the one found in the current folder or above it.
        arguments: More flags of `npx orrery start`.
        timeout: Longest duration of the start (s). A clone builds its page first if a browser runs it.
    """
    words = list(command) if command is not None else _command(package)
    folder = tempfile.mkdtemp(prefix="orrery-") if data is None else None
    flags = ["--port", str(port or _free_port()), "--no-open"]
    flags += ["--data", folder, "--memory"] if folder is not None else ["--data", str(data)]
    if engine == "node" and not bare:
        flags += ["--engine", "node"]
    elif engine == "browser":
        flags += ["--headless"]
    elif engine not in (None, "node"):
        raise ValueError(f'engine must be "node", "browser" or None, not "{engine}".')
    if bare:
        flags += ["--bare"]
    if seed is not None:
        flags += ["--seed", str(seed)]
    if scene is not None:
        flags += ["--scene", scene]
    # With this variable the server watches its parent, and ends when that is gone.
    environment = {"npm_lifecycle_event": "serve", **os.environ}
    try:
        process = subprocess.Popen(
            [*words, "start", *flags, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=environment,
        )
    except OSError:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return Server(process, folder, timeout)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _command(package: str | None) -> list[str]:
    """Command of the program: of a given package, of one nearby, or of the search path."""
    node = os.environ.get("ORRERY_NODE", "node")
    chosen = package or os.environ.get("ORRERY_PACKAGE")
    if chosen is not None:
        program = Path(chosen) / "relay" / "orrery.mjs"
        if not program.is_file():
            raise FileNotFoundError(
                f"{chosen} is not the folder of Orrery: it has no relay/orrery.mjs. "
                "Send the folder of the npm package, such as node_modules/orrery, or of a clone."
            )
        return [node, str(program)]
    here = Path.cwd().resolve()
    for folder in (here, *here.parents):
        for program in (folder / "relay/orrery.mjs", folder / "node_modules/orrery/relay/orrery.mjs"):
            if program.is_file():
                return [node, str(program)]
    installed = shutil.which("orrery")
    if installed is not None:
        return [installed]
    raise FileNotFoundError(
        "Orrery was not found. Run `npm install` of the package in this folder or above it, "
        "or send its folder as `package`, or a `command`."
    )
