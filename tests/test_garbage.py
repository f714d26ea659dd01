"""Python's search for cycles, as a server has it: short looks, now and then a whole one."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from server.garbage import THRESHOLDS, WHOLE_EVERY_S, looked_for_seldom


class Ring:
    """A cycle that no count of references ever frees."""

    def __init__(self) -> None:
        self.itself: Ring | None = self


@pytest.fixture
def now() -> Iterator[list[float]]:
    """The seconds that pass for the looks, to be set; none comes by itself meanwhile."""
    seconds = [100.0]
    with looked_for_seldom(lambda: seconds[0]):
        gc.disable()
        yield seconds
        gc.enable()


def test_what_lived_through_a_look_is_looked_at_again_only_in_a_whole_one(now: list[float]) -> None:
    ring = Ring()
    seen = weakref.ref(ring)
    gc.collect()
    del ring
    now[0] += WHOLE_EVERY_S - 1
    gc.collect()
    assert seen() is not None
    now[0] += 1
    gc.collect()
    assert seen() is None


def test_what_is_new_is_found_by_the_next_look(now: list[float]) -> None:
    gc.collect()
    seen = weakref.ref(Ring())
    assert seen() is not None
    gc.collect()
    assert seen() is None


def test_a_look_at_the_young_keeps_nothing_from_the_looks(now: list[float]) -> None:
    frozen = gc.get_freeze_count()
    ring = Ring()
    seen = weakref.ref(ring)
    gc.collect(1)
    del ring
    assert gc.get_freeze_count() <= frozen
    gc.collect()
    assert seen() is None


def test_a_look_sees_only_what_came_since_the_last_one(now: list[float]) -> None:
    kept = [Ring() for _ in range(10_000)]
    gc.collect()
    assert len(gc.get_objects()) < len(kept)
    now[0] += WHOLE_EVERY_S
    gc.collect()
    assert gc.get_freeze_count() > len(kept)


def test_in_the_end_everything_is_as_it_was() -> None:
    before, callbacks = gc.get_threshold(), list(gc.callbacks)
    with looked_for_seldom():
        assert gc.get_threshold() == THRESHOLDS
        assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == before
    assert gc.callbacks == callbacks
    assert gc.get_freeze_count() == 0
