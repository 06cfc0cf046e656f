"""The folder of models: `NAME/VERSION/model.so` or `model.tar`, and `NAME/config.json`.

A load makes the new versions ready, then replaces the old ones in one step of the event loop;
requests in progress finish with the version that accepted them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import TypeAlias

from ..runtime.abi.library import LoadError
from ..runtime.errors import Error
from .errors import RequestError
from .metrics import Metrics
from .model import CompiledModel, Servable, batch_size, check_datatypes, check_rows
from .scheduling import ModelQueue, ThreadBudget
from .settings import ModelSettings, Settings

LOG = logging.getLogger("tilewright.serve")
FILES = ("model.so", "model.tar")
Loader: TypeAlias = Callable[[Path], Servable]
_Stamp: TypeAlias = tuple[tuple[str, int, int], ...]


@dataclass
class Served:
    """A model of the repository.

    queues: the queue of each version; empty if the model is not loaded.  stamp: paths, times and
    sizes of its files when they were loaded, to notice changes.  reason: why it is not loaded; else
    empty.  is_wanted: False if a client has unloaded it.  lock: held while versions are loaded or
    unloaded.
    """

    queues: dict[int, ModelQueue] = field(default_factory=dict[int, ModelQueue])
    stamp: _Stamp = ()
    reason: str = ""
    is_wanted: bool = True
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Repository:
    """The models of a folder.

    load_file: makes a model from a file; default: `CompiledModel.load`.
    """

    def __init__(
        self,
        folder: Path | str,
        settings: Settings,
        metrics: Metrics,
        load_file: Loader | None = None,
    ) -> None:
        self.folder, self.settings, self.metrics = Path(folder), settings, metrics
        self.budget = ThreadBudget(settings.thread_budget)
        self._load_file: Loader = load_file or (
            lambda path: CompiledModel.load(path, settings.trusted)
        )
        self.served: dict[str, Served] = {}
        self._closing = set[asyncio.Task[None]]()

    def files(self, name: str) -> dict[int, Path]:
        """Return the files of a model by version, in the order of the versions."""
        found: dict[int, Path] = {}
        for folder in (self.folder / name).iterdir():
            paths = [folder / file for file in FILES if (folder / file).is_file()]
            if folder.name.isdecimal() and paths:
                found[int(folder.name)] = paths[0]
        return dict(sorted(found.items()))

    def names(self) -> list[str]:
        """Return the names of the models: the folders that contain a version."""
        folders = (path for path in self.folder.iterdir() if path.is_dir())
        return sorted(path.name for path in folders if self.files(path.name))

    def queue(self, name: str, version: str = "") -> ModelQueue:
        """Return the queue of a version of a model; an empty version stands for the newest one.

        Errors: RequestError with status 404 for an unknown model or version, 503 for a model that
        is not loaded.
        """
        served = self.served.get(name)
        if served is None:
            raise _not_found(f"there is no model {name}", ", ".join(sorted(self.served)))
        if not served.queues:
            raise RequestError(
                f"model {name} is not loaded",
                status=HTTPStatus.SERVICE_UNAVAILABLE,
                got=served.reason,
            )
        if not version:
            return served.queues[max(served.queues)]
        if not version.isdecimal() or int(version) not in served.queues:
            raise _not_found(
                f"model {name} has no version {version}", ", ".join(map(str, served.queues))
            )
        return served.queues[int(version)]

    def is_ready(self) -> bool:
        """Return whether all models are loaded, except those that a client has unloaded."""
        return all(each.queues for each in self.served.values() if each.is_wanted)

    def index(self) -> list[dict[str, str]]:
        """Return name, version and state of all models, and the reason why one is not loaded."""
        rows: list[dict[str, str]] = []
        for name, served in sorted(self.served.items()):
            versions = [str(version) for version in served.queues]
            state = "READY" if versions else "UNAVAILABLE"
            rows += [
                {"name": name, "version": version, "state": state, "reason": served.reason}
                for version in versions or [""]
            ]
        return rows

    async def load(self, name: str) -> None:
        """Load the newest versions of a model, which replace the versions that are served.

        Errors: RequestError if the folder has no such model; LoadError, after which the earlier
        versions are still served.
        """
        if name not in await asyncio.to_thread(self.names):
            raise _not_found(f"the repository has no model {name}", ", ".join(self.served))
        served = self.served.setdefault(name, Served())
        async with served.lock:
            served.is_wanted = True
            served.stamp = self._stamp(name)
            try:
                loaded = await asyncio.to_thread(self._loaded, name)
            except (Error, OSError) as err:
                served.reason = str(err)
                self.metrics.reloads.labels(name, "failure").inc()
                if isinstance(err, OSError):
                    raise LoadError(f"cannot load model {name}", got=err) from err
                raise
            settings, models = loaded
            old = served.queues
            served.queues = {
                version: ModelQueue(
                    model, settings, self.budget, self.metrics, name=name, version=version
                )
                for version, model in models.items()
            }
            served.reason = ""
            self.metrics.reloads.labels(name, "success").inc()
            LOG.info("loaded %s, versions %s", name, [*models])
            self._close_later(old)

    async def unload(self, name: str) -> None:
        """Stop serving a model; requests in progress finish.

        Errors: RequestError with status 404 for an unknown model.
        """
        served = self.served.get(name)
        if served is None:
            raise _not_found(f"there is no model {name}", ", ".join(self.served))
        async with served.lock:
            served.is_wanted, old, served.queues = False, served.queues, {}
            served.reason = "unloaded"
        await asyncio.gather(*(queue.close() for queue in old.values()))

    async def refresh(self) -> None:
        """Load new and changed models, and unload models whose folder was removed; log failures."""
        names = await asyncio.to_thread(self.names)
        for name in names:
            served = self.served.setdefault(name, Served())
            if served.is_wanted and served.stamp != self._stamp(name):
                try:
                    await self.load(name)
                except Error as err:
                    LOG.error("cannot load %s: %s", name, err)
        for name in {*self.served} - {*names}:
            await self.unload(name)
            del self.served[name]

    async def poll(self) -> None:
        """Call `refresh` at the interval of the settings, until the task is cancelled."""
        while True:
            await asyncio.sleep(self.settings.poll_s)
            try:
                await self.refresh()
            except OSError as err:
                LOG.error("cannot read %s: %s", self.folder, err)

    async def close(self) -> None:
        """Finish all requests in progress, and end the workers of all queues."""
        queues = [queue for served in self.served.values() for queue in served.queues.values()]
        await asyncio.gather(*(queue.close() for queue in queues), *self._closing)

    def _close_later(self, queues: dict[int, ModelQueue]) -> None:
        for queue in queues.values():
            task = asyncio.get_running_loop().create_task(queue.close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    def _stamp(self, name: str) -> _Stamp:
        """Return a value that changes if a file of a model is replaced: paths, times and sizes."""
        paths = [self.folder / name / "config.json", *self.files(name).values()]
        stats = [(str(path), path.stat()) for path in paths if path.exists()]
        return tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats)

    def _loaded(self, name: str) -> tuple[ModelSettings, dict[int, Servable]]:
        settings = ModelSettings.read(self.folder / name / "config.json")
        models: dict[int, Servable] = {}
        for version, path in [*self.files(name).items()][-settings.versions :]:
            model = self._load_file(path)
            check_datatypes(model)
            if settings.max_batch > 1:
                batch_size(model)
                check_rows(model, min(settings.threads or 1, self.budget.total))
            models[version] = model
        return settings, models


def _not_found(rule: str, known: str) -> RequestError:
    return RequestError(rule, status=HTTPStatus.NOT_FOUND, expected=known)
