"""One corrector under many callers at once: no error, what one caller would get, and memory that does not grow."""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pytest

from ragclean import CorrectorConfig, NoiseCorrector

pytestmark = pytest.mark.slow

THREADS, REFINES, ROUNDS = 64, 10_000, 4
#: What the quietest of the later quarters of a run may leave behind: the process may grow by so many MiB (its allocator
#: keeps what threads gave back), and by this share of its objects. A refine that left one object of 1 kB behind would
#: grow each quarter by 2.5 MiB and by four per cent.
GROWTH_MIB, GROWTH_OBJECTS = 2.0, 0.01
THINGS = ("云舟K3", "云舟K5", "澜川X200", "Torrin E2", "Larkspur 7")
PARTS = ("电池", "电机", "滤网", "主机", "frame")
DAYS = ("2024-06-01", "2025-06-01")


def requests():
    """Fifty questions with up to two short candidates, all different: a retriever that finds nothing (a fifth), one
    page (two fifths), and two that contradict each other."""
    made = []
    for (thing, part), day in itertools.product(itertools.product(THINGS, PARTS), DAYS):
        n = len(made)
        chunks = [
            {"id": "terms", "source": "official_policy", "published_at": "2024-02-01", "text": f"{thing}的{part}自签收之日起保修{6 + n}个月。"},
            {"id": "forum", "source": "forum", "text": f"听说{thing}的{part}只保{3 + n}个月。"},
        ]
        made.append((f"{thing}的{part}保修多久？", chunks[: (0, 1, 1, 2, 2)[n % 5]], {"as_of": day, "top_k": 1 + n % 2}))
    return made


def ask(corrector, request):
    query, chunks, options = request
    return untimed(corrector.refine(query, chunks, **options))


def untimed(result):
    return replace(result, stats={})


@pytest.fixture(scope="module")
def asked():
    return requests()


@pytest.fixture(scope="module")
def serial(asked):
    alone = NoiseCorrector()
    found = [ask(alone, request) for request in asked]
    assert len({r.text for r in found}) > 20
    assert sum(bool(r.conflicts) for r in found) > 10 and any(r.warnings for r in found)
    return found


def at_once(work, items, threads):
    """``work`` of every item on so many threads that start together; the first error is raised."""
    gate = threading.Barrier(threads)
    with ThreadPoolExecutor(threads, initializer=gate.wait) as pool:
        return list(pool.map(work, items))


def resident():
    """MiB of memory; None where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as told:
            return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError):
        return None


def grown():
    """What 64 threads leave behind, quarter by quarter of a run: refines that differ from the serial ones, the objects
    and the memory after each quarter."""
    asked, shared, alone = requests(), NoiseCorrector(), NoiseCorrector()
    serial = [ask(alone, request) for request in asked]
    places = [n % len(asked) for n in range(REFINES // ROUNDS)]
    wrong, memory, objects = 0, [], []
    for _ in range(ROUNDS):
        wrong += sum(at_once(lambda place: ask(shared, asked[place]) != serial[place], places, THREADS))
        gc.collect()
        memory.append(resident())
        objects.append(len(gc.get_objects()))
    return wrong, objects, memory


def test_sixty_four_threads_get_what_one_gets_and_memory_stays_flat():
    # In a process of its own: what other tests left to this one (handlers that keep every record, an exporter that
    # keeps every span) would be taken for the library's.
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        wrong, objects, memory = pool.submit(grown).result()
    assert not wrong
    assert min(b - a for a, b in itertools.pairwise(objects)) <= GROWTH_OBJECTS * objects[0]
    if memory[0] is not None:
        # A leak grows in every quarter; what the allocator keeps for 64 threads grows in one or another.
        assert min(b - a for a, b in itertools.pairwise(memory)) <= GROWTH_MIB, memory


def test_an_event_loop_gets_the_same(asked, serial):
    shared = NoiseCorrector()

    async def one(place):
        query, chunks, options = asked[place]
        return untimed(await shared.arefine(query, chunks, **options)) == serial[place]

    async def all_of_them():
        return await asyncio.gather(*(one(n % len(asked)) for n in range(500)))

    assert all(asyncio.run(all_of_them()))


def test_a_cache_that_forgets_all_the_time_changes_nothing(asked, serial):
    tiny = NoiseCorrector(config=CorrectorConfig(cache_chunks=8))
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)  # fifty times as many changes from one thread to another
    try:
        found = at_once(lambda n: (n % len(asked), tiny.refine(*asked[n % len(asked)][:2], **asked[n % len(asked)][2])), range(300), 16)
    finally:
        sys.setswitchinterval(before)
    # Another configuration, and so another fingerprint; all else is the same.
    fingerprint = tiny.fingerprint
    assert all(replace(r, stats={}) == replace(serial[place], fingerprint=fingerprint) for place, r in found)
    assert sum(r.stats["cache_misses"] for _, r in found) > len(found)


def test_copies_with_other_configurations_share_what_was_worked_out_and_nothing_else(asked):
    configs = [CorrectorConfig(admission_threshold=t, compression=c) for t in (0.1, 0.42, 0.9) for c in (True, False)]
    alone = [[ask(NoiseCorrector(config=config), request) for request in asked[:10]] for config in configs]
    base = NoiseCorrector()
    base.warm(chunk for _, chunks, _ in asked[:10] for chunk in chunks)
    misses = []

    def one(n):
        which, place = n % len(configs), n // len(configs) % 10
        copy = base.with_config(configs[which])  # made while others work
        query, chunks, options = asked[place]
        result = copy.refine(query, chunks, **options)
        misses.append(result.stats["cache_misses"])
        return untimed(result) == alone[which][place] and copy.fingerprint == result.fingerprint

    assert all(at_once(one, range(600), 16))
    assert sum(misses) == 0  # what the base had worked out served every copy
    assert len({copied[0].fingerprint for copied in alone}) == len(configs)
    assert base.config == CorrectorConfig()
