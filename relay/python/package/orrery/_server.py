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

#: Start of the line that the server prints when its world answers.
READY = "Orrery is ready: "

#: Lines of output that an error quotes.
QUOTED_LINES = 20

#: Maximum time in which a stopping server ends by itself (s).
STOP_SECONDS = 20.0


class Server:
    """A running server. It ends with `close`, with its `with` block, or with this process."""

    def __init__(self, process: subprocess.Popen[str], folder: str | None, timeout: float) -> None:
        self.process = process
        #: Temporary folder with the data of the server, or None.
        self.folder = folder
        #: Main world of the server.
        self.world: World
        self._lines: collections.deque[str] = collections.deque(maxlen=QUOTED_LINES)
        self._is_ready = threading.Event()
        self._url = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        has_ended = self._is_ready.wait(timeout)
        if self._url == "":
            self.close()
            reason = "ended before it was ready" if has_ended else f"was not ready within {timeout:g} s"
            raise RuntimeError(f"The server {reason}. Its last lines:\n" + "\n".join(self._lines))
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
        """Stops the server, and waits for its end."""
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
    """Raises `TypeError` for options of `serve`. They have no effect on a server that already runs."""
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
            None: `arguments` decides.
        bare: Only the logic of a game, without registries and pictures.
        seed: Seed of the world.
        port: Port on this machine. The default is a free one.
        data: Folder for worlds and files. The default is a temporary folder, with the journal in memory.
        command: Command that starts the program, such as ["npx", "orrery"].
        package: Folder of the npm package or of a clone. The default is the environment variable
            ORRERY_PACKAGE, otherwise a package in the current folder or above it.
        arguments: Further flags of `npx orrery start`.
        timeout: Maximum duration of the start (s). With a browser, a clone first builds the page.
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
    # With this variable, the server watches its parent process and ends with it.
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
    """Returns the command of the program: from the given package, a package nearby, or PATH."""
    node = os.environ.get("ORRERY_NODE", "node")
    package_folder = package or os.environ.get("ORRERY_PACKAGE")
    if package_folder is not None:
        program = Path(package_folder) / "relay" / "orrery.mjs"
        if not program.is_file():
            raise FileNotFoundError(
                f"{package_folder} is not the folder of Orrery: it has no relay/orrery.mjs. "
                "Send the folder of the npm package, such as node_modules/orrery, or of a clone."
            )
        return [node, str(program)]
    current_folder = Path.cwd().resolve()
    for folder in (current_folder, *current_folder.parents):
        for program in (folder / "relay/orrery.mjs", folder / "node_modules/orrery/relay/orrery.mjs"):
            if program.is_file():
                return [node, str(program)]
    path_program = shutil.which("orrery")
    if path_program is not None:
        return [path_program]
    raise FileNotFoundError(
        "Orrery was not found. Run `npm install` of the package in this folder or above it, "
        "or send its folder as `package`, or a `command`."
    )
