"""The tracker: fair queues, lost devices and clients, and restarts, on a clock of the test."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import tilewright
from tilewright.runtime.rpc.tracker_journal import Journal
from tilewright.runtime.rpc.tracking import Job, JobState, TrackedDevice, Tracker

HEARTBEAT_S = 5.0


def device(name: str, key: str = "board", address: str = "") -> TrackedDevice:
    return TrackedDevice(name, key, address or f"{name}:1", "{}")


def wish(job: str, client: str = "a", priority: int = 1, lease_s: float = 0, grant: int = 0) -> Job:
    return Job(job, "board", client, priority, lease_s, 0, grant)


@pytest.fixture
def tracker() -> Iterator[Tracker]:
    journal = Journal()
    yield Tracker(journal, HEARTBEAT_S, 0)
    journal.close()


def state_of(tracker: Tracker, made: Job, now: float, lost: int = 0) -> tuple[JobState, str]:
    state, found = tracker.request(made, lost, now)
    return state, found.device


def test_the_highest_priority_comes_first_then_the_oldest(tracker: Tracker) -> None:
    for name, priority in (("old", 1), ("urgent", 3), ("new", 1), ("other key", 9)):
        made = wish(name, priority=priority)
        if name == "other key":
            made = Job(name, "phone", "a", priority, 0, 0)
        assert state_of(tracker, made, 0) == (JobState.QUEUED, "")
    tracker.announce(device("d"), 1)
    order = []
    for now in range(1, 4):
        (running,) = (job for job in tracker.jobs.values() if job.device)
        order.append(running.job)
        tracker.finish(running.job, now)
        tracker.finish(running.job, now)  # twice: a client that got no reply
    assert order == ["urgent", "old", "new"]
    assert [*tracker.jobs] == ["other key"]


def test_a_dead_device_is_noticed_in_two_heartbeats(tracker: Tracker) -> None:
    tracker.announce(device("dies"), 0)
    assert state_of(tracker, wish("first"), 0) == (JobState.GRANTED, "dies")
    tracker.announce(device("lives"), 4)
    assert state_of(tracker, wish("second"), 4) == (JobState.GRANTED, "lives")
    assert state_of(tracker, wish("third"), 4)[0] is JobState.QUEUED
    for made in ("first", "second", "third"):
        assert state_of(tracker, wish(made, grant=1), 9)[0] is not JobState.ENDED
    tracker.announce(device("lives"), 9)
    tracker.expire(9.99)
    assert "dies" in tracker.devices
    tracker.expire(10)
    assert "dies" not in tracker.devices
    tracker.finish("second", 11)  # the job of the dead device stands before the younger one
    assert state_of(tracker, wish("first", grant=1), 11) == (JobState.GRANTED, "lives")
    assert tracker.jobs["first"].grant == 2
    assert not tracker.jobs["third"].device


def test_a_device_that_does_not_answer_is_not_lent_until_it_announces_itself(
    tracker: Tracker,
) -> None:
    tracker.announce(device("broken"), 0)
    assert state_of(tracker, wish("job"), 0) == (JobState.GRANTED, "broken")
    assert state_of(tracker, wish("job", grant=1), 1, lost=1) == (JobState.QUEUED, "")
    tracker.announce(device("other"), 2)
    assert state_of(tracker, wish("job", grant=1), 2, lost=1) == (JobState.GRANTED, "other")
    assert state_of(tracker, wish("next"), 2)[0] is JobState.QUEUED
    tracker.announce(device("broken"), 3)
    assert state_of(tracker, wish("next"), 3) == (JobState.GRANTED, "broken")


def test_a_device_that_starts_again_replaces_its_old_process(tracker: Tracker) -> None:
    tracker.announce(device("before", address="here:1"), 0)
    assert state_of(tracker, wish("job"), 0) == (JobState.GRANTED, "before")
    tracker.announce(device("after", address="here:1"), 1)
    assert state_of(tracker, wish("job", grant=1), 1) == (JobState.GRANTED, "after")
    assert [*tracker.devices] == ["after"]


def test_a_job_ends_with_its_client_or_its_lease(tracker: Tracker) -> None:
    tracker.announce(device("d"), 0)
    state_of(tracker, wish("gone"), 0)
    state_of(tracker, wish("short", lease_s=3), 9)
    tracker.announce(device("d"), 9)
    tracker.expire(10)  # the client of the first job was last seen at 0
    assert state_of(tracker, wish("short", lease_s=3), 11) == (JobState.GRANTED, "d")
    assert state_of(tracker, wish("gone", grant=1), 11)[0] is JobState.ENDED
    assert state_of(tracker, wish("short", lease_s=3, grant=1), 12.9)[0] is JobState.GRANTED
    assert state_of(tracker, wish("short", lease_s=3, grant=1), 13)[0] is JobState.ENDED
    assert not tracker.devices["d"].job


def test_a_new_tracker_goes_on_from_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = Journal(path)
    old = Tracker(journal, HEARTBEAT_S, 100)
    for name in ("d", "silent"):
        old.announce(device(name), 100)
    for made in ("one", "two", "three", "four"):
        state_of(old, wish(made, client=made), 100)
    old.finish("two", 107)
    with pytest.raises(tilewright.ArgumentError, match="journal"):
        Journal(path)  # one file has one tracker
    journal.close()

    journal = Journal(path)
    new = Tracker(journal, HEARTBEAT_S, 50)  # the clock of another machine's start
    assert state_of(new, wish("one", client="one", grant=1), 51) == (JobState.GRANTED, "d")
    new.announce(device("d"), 51)
    new.finish("one", 52)
    assert state_of(new, wish("four", client="four"), 52) == (JobState.GRANTED, "d")
    assert state_of(new, wish("three", client="three", grant=1), 52)[1] == "silent"
    new.announce(device("d"), 56)
    new.expire(60)  # it has not announced itself to the new tracker
    assert [*new.devices] == ["d"]
    assert new._uses["board", "two"].seconds == pytest.approx(7)
    journal.close()


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(1, 5))]
)
def test_shares_are_fair_while_devices_die(tracker: Tracker, seed: int) -> None:
    """20 clients with jobs of different lengths share 4 devices, which die and come back."""
    random, clock = Random(seed), 0.0
    clients = {f"client {number}": random.uniform(0.5, 8) for number in range(20)}
    had: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    started: list[str] = []
    events: list[tuple[float, str, str, int]] = []
    alive = {f"d{number}": number for number in range(4)}

    def ask(client: str) -> None:
        started.append(f"{client} {len(started)}")
        tracker.request(wish(started[-1], client), 0, clock)

    for client in clients:
        ask(client)
    known: dict[str, tuple[int, float]] = {}
    while clock < 1500:
        if random.random() < 0.02:
            alive[random.choice([*alive])] += 4  # the process ends, and another one starts
        for place, number in alive.items():
            tracker.announce(device(f"{place} {number}", address=f"{place}:1"), clock)
        for job in [*tracker.jobs.values()]:
            tracker.request(wish(job.job, job.client), 0, clock)
            now_known = (job.grant, job.since) if job.device else (0, 0.0)
            if job.device and known.get(job.job) != now_known:
                length_s = random.expovariate(1 / clients[job.client])
                heapq.heappush(events, (clock + length_s, job.job, job.device, job.grant))
                known[job.job] = now_known
        clock += 0.5
        while events and events[0][0] <= clock:
            _, name, held, grant = heapq.heappop(events)
            found = tracker.jobs.get(name)
            if found is None or (found.device, found.grant) != (held, grant):
                continue  # the device has died before
            had[found.client] += clock - found.since
            ended[name] += 1
            tracker.finish(name, clock)
            ask(found.client)
    assert set(ended.values()) == {1}
    assert len(ended) + len(tracker.jobs) == len(started)
    mean = sum(had.values()) / len(clients)
    assert sum(had.values()) > 0.9 * 4 * clock
    for client in clients:
        assert had[client] == pytest.approx(mean, rel=0.1), client
