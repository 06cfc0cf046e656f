"""Which client has which device: the queues and leases of a tracker, without a network or a clock.

In: the messages of devices and clients, each with a time. Out: for a client, the device of its job.

- A device that has not announced itself for two heartbeats is removed. Its job is queued again.
- A client that has not asked about its job for two heartbeats is gone, and its job ends.
- A free device takes the job of the highest priority; among these, the job of the client that has
  had the devices of this key for the shortest time; among these, the oldest job.

Every change is stored in a `Journal` before the reply, so that a new tracker can continue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import IntEnum
from typing import Any

from ..errors import ArgumentError
from .tracker_journal import Journal

HEARTBEATS = 2
"""The heartbeats without a sign of life after which a device or a client is gone."""
_MAX_JOBS, _MAX_DEVICES = 10_000, 10_000
_FORGET_S = 600.0
"""After this time without jobs, the use of a client is forgotten."""
_FIRST_GUESS_S = 1.0


class JobState(IntEnum):
    """The state of a job, as the reply to its client reports it.

    ENDED: its lease has ended, or the tracker has lost the job.
    """

    QUEUED = 0
    GRANTED = 1
    ENDED = 2


@dataclass(frozen=True)
class TrackedDevice:
    """A server that announces itself.

    device: its name.  key: the kind of device that clients ask for.  facts: its description of
    itself, as JSON.  seen: the time of its last announcement.  is_suspect: it gets no job until it
    announces itself again.  job: the name of its job, or empty.  idle_since: when its last job
    ended.
    """

    device: str
    key: str
    address: str
    facts: str
    seen: float = 0
    is_suspect: bool = False
    job: str = ""
    idle_since: float = 0


@dataclass(frozen=True)
class TrackerJob:
    """A request of a client for a device.

    job: its name.  key: the kind of device.  lease_s: how long it may have the device; 0: no limit.
    order: its position in the queue.  grant: how often it got a device.  device: the name of the
    device that it has, or empty.  since: when it got this device.  seen: when its client last asked
    about it.
    """

    job: str
    key: str
    client: str
    priority: int
    lease_s: float
    order: int
    grant: int = 0
    device: str = ""
    since: float = 0
    seen: float = 0


@dataclass(frozen=True)
class Use:
    """How long a client has had the devices of a key.

    seconds: the sum over its jobs that have ended.  seen: the time of its last job.
    """

    seconds: float = 0
    seen: float = 0


class Tracker:
    """The devices, jobs and shares of a tracker.

    In all methods ``now`` is the current time in seconds.
    """

    def __init__(self, journal: Journal, heartbeat_s: float, now: float) -> None:
        """Continue from a journal; devices and clients have two heartbeats to show that they live.

        The time of a job before now is not counted, because no tracker may have run for long.
        """
        self.heartbeat_s, self._journal = heartbeat_s, journal
        self.devices: dict[str, TrackedDevice] = {}
        self.jobs: dict[str, TrackerJob] = {}
        self._uses: dict[tuple[str, str], Use] = {}
        self._typical_s: dict[str, float] = {}
        for row in journal.rows("device"):
            device = TrackedDevice(**row)
            fresh = replace(device, seen=now, is_suspect=True, job="", idle_since=now)
            self.devices[device.device] = fresh
        for row in journal.rows("job"):
            # A process that was killed within a change may have written a part of it.
            job = TrackerJob(**row)
            held = self.devices.get(job.device)
            if held is None or held.job:
                job = replace(job, device="")
            else:
                self.devices[held.device] = replace(held, job=job.job)
            self.jobs[job.job] = replace(job, seen=now, since=now)
        for row in journal.rows("use"):
            seconds, seen = row["seconds"], min(now, row["seen"])
            self._uses[row["key"], row["client"]] = Use(seconds, seen)
        self._order = max((job.order for job in self.jobs.values()), default=0)

    # ---- devices --------------------------------------------------------------------------------

    def announce(self, made: TrackedDevice, now: float) -> None:
        """Record that a device is alive.

        If another device had the same address, it was the same server before a restart, and is
        removed.

        made: the device, as its message describes it.

        Errors: ArgumentError if there are too many devices.
        """
        known = self.devices.get(made.device)
        if known is not None and (known.key, known.address) == (made.key, made.address):
            kept = replace(known, seen=now, is_suspect=False, facts=made.facts)
            self.devices[made.device] = kept
            if known.facts != made.facts:
                self._journal.put("device", made.device, asdict(kept))
        else:
            for other in [*self.devices.values()]:
                if other.device == made.device or other.address == made.address:
                    self.leave(other.device, now)
            _check_room("devices", len(self.devices), _MAX_DEVICES)
            self._put_device(replace(made, seen=now, idle_since=now))
        self._assign(now)

    def leave(self, device: str, now: float) -> None:
        """Remove a device, by its name; its job is queued again."""
        found = self.devices.pop(device, None)
        if found is None:
            return
        self._journal.remove("device", device)
        if found.job:
            self._take_back(self.jobs[found.job])
        self._assign(now)

    # ---- jobs -----------------------------------------------------------------------------------

    def request(self, wish: TrackerJob, lost: int, now: float) -> tuple[JobState, TrackerJob]:
        """Queue a job, or record that its client is alive; return the job's state, and the job.

        wish: the job as the client describes it; ``grant`` is the number of the grant that it uses.
        lost: the number of a grant whose device did not answer the client; 0: none.

        Errors: ArgumentError if there are too many jobs.
        """
        self.expire(now)
        known = self.jobs.get(wish.job)
        if known is None and wish.grant:
            return JobState.ENDED, wish
        if known is None:
            known = self._queued(wish, now)
        known = self.jobs[wish.job] = replace(known, seen=now)
        if known.device and lost == known.grant:
            device = replace(self.devices[known.device], job="", is_suspect=True)
            self._put_device(device)
            self._take_back(known)
        self._assign(now)
        found = self.jobs[wish.job]
        return JobState.GRANTED if found.device else JobState.QUEUED, found

    def finish(self, job: str, now: float) -> None:
        """End a job, by its name; do nothing if it has ended already."""
        found = self.jobs.pop(job, None)
        if found is None:
            return
        self._journal.remove("job", job)
        self._charge(found, now)
        if found.device:
            self._put_device(replace(self.devices[found.device], job="", idle_since=now))
        self._assign(now)

    def expire(self, now: float) -> None:
        """Remove silent devices, jobs of silent clients, and jobs whose lease has ended."""
        limit_s = HEARTBEATS * self.heartbeat_s
        for device in [*self.devices.values()]:
            if now - device.seen >= limit_s:
                self.leave(device.device, now)
        for job in [*self.jobs.values()]:
            is_over = job.device and job.lease_s and now - job.since >= job.lease_s
            if is_over or now - job.seen >= limit_s:
                self.finish(job.job, now)

    def summary(self, now: float) -> Mapping[str, Any]:
        """Return the devices, the queue and the shares of clients, as values for JSON."""
        queued = [job for job in self.jobs.values() if not job.device]
        return {
            "heartbeat_s": self.heartbeat_s,
            "devices": [
                {
                    "key": device.key,
                    "address": device.address,
                    "facts": device.facts,
                    "client": self.jobs[device.job].client if device.job else "",
                    "seen_s": round(now - device.seen, 3),
                }
                for device in self.devices.values()
            ],
            "queued": [
                {"key": job.key, "client": job.client, "priority": job.priority}
                for job in sorted(queued, key=lambda job: self._rank(job, now))
            ],
            "shares": [
                {"key": key, "client": client, "seconds": round(use.seconds, 3)}
                for (key, client), use in self._uses.items()
            ],
        }

    # ---- the queue ------------------------------------------------------------------------------

    def _queued(self, wish: TrackerJob, now: float) -> TrackerJob:
        _check_room("jobs", len(self.jobs), _MAX_JOBS)
        self._order += 1
        made = replace(wish, order=self._order, grant=0, device="", seen=now)
        who = made.key, made.client
        own = self._uses.get(who, Use())
        absent_s = now - own.seen
        seconds = 0 if absent_s >= _FORGET_S else own.seconds
        if own == Use() or absent_s >= HEARTBEATS * self.heartbeat_s:
            # A client that comes late starts at the smallest share, so that it does not get all
            # devices for long.
            others = [
                self._uses[job.key, job.client].seconds
                for job in self.jobs.values()
                if job.key == made.key and job.client != made.client
            ]
            seconds = max(seconds, min(others, default=0))
        self._put_use(who, Use(seconds, now))
        self._put_job(made)
        return made

    def _share(self, job: TrackerJob, now: float) -> float:
        """Return the seconds for which the client of a job has had devices of the job's key.

        The running jobs of the client count, too.
        """
        running = [
            max(now - other.since, self._typical_s.get(other.key, _FIRST_GUESS_S))
            for other in self.jobs.values()
            if other.device and (other.key, other.client) == (job.key, job.client)
        ]
        return self._uses[job.key, job.client].seconds + sum(running)

    def _rank(self, job: TrackerJob, now: float) -> tuple[int, float, int]:
        return -job.priority, self._share(job, now), job.order

    def _assign(self, now: float) -> None:
        """Give free devices to queued jobs, by the rules of the module docstring."""
        free = [each for each in self.devices.values() if not each.job and not each.is_suspect]
        for device in sorted(free, key=lambda each: each.idle_since):
            queue = [job for job in self.jobs.values() if not job.device and job.key == device.key]
            if queue:
                job = min(queue, key=lambda job: self._rank(job, now))
                got = replace(job, device=device.device, grant=job.grant + 1, since=now)
                self._put_job(got)
                self._put_device(replace(device, job=job.job))

    def _take_back(self, job: TrackerJob) -> None:
        self._put_job(replace(job, device=""))

    def _charge(self, job: TrackerJob, now: float) -> None:
        """Add the time for which a job has had its device to the sum of its client."""
        if not job.device:
            return
        elapsed_s = now - job.since
        typical_s = self._typical_s.get(job.key, elapsed_s)
        self._typical_s[job.key] = 0.9 * typical_s + 0.1 * elapsed_s
        who = job.key, job.client
        self._put_use(who, Use(self._uses[who].seconds + elapsed_s, now))

    # ---- the journal ----------------------------------------------------------------------------

    def _put_device(self, device: TrackedDevice) -> None:
        self.devices[device.device] = device
        self._journal.put("device", device.device, asdict(device))

    def _put_job(self, job: TrackerJob) -> None:
        self.jobs[job.job] = job
        self._journal.put("job", job.job, asdict(job))

    def _put_use(self, who: tuple[str, str], use: Use) -> None:
        self._uses[who] = use
        row = {"key": who[0], "client": who[1], **asdict(use)}
        self._journal.put("use", "\0".join(who), row)


def _check_room(kind: str, count: int, most: int) -> None:
    if count >= most:
        raise ArgumentError(
            f"the tracker has too many {kind}",
            expected=f"at most {most}",
            hint="try again later, or start a second tracker",
        )
