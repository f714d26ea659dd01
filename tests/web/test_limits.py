"""Buckets hold what they should, on a clock of the test's own."""

from server.web import limits
from server.web.limits import Bucket, Buckets, Rate


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_its_burst_then_refills_with_time_up_to_the_burst() -> None:
    clock = Clock()
    bucket = Bucket(Rate(2, 3), clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.now += 0.49
    assert not bucket.take()
    clock.now += 0.02
    assert bucket.take()
    assert not bucket.take()
    clock.now += 1000
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_keys_do_not_share_a_bucket() -> None:
    buckets: Buckets[int] = Buckets(Rate(1, 1), Clock())
    assert buckets.take(1)
    assert not buckets.take(1)
    assert buckets.take(2)


def test_only_so_many_keys_are_remembered_and_the_busy_ones_stay() -> None:
    clock = Clock()
    buckets: Buckets[int] = Buckets(Rate(0.001, 1), clock)
    assert buckets.take(-1)
    for key in range(limits.BUCKETS_MAX + 10):
        buckets.take(key)
        if key % 1000 == 0:
            assert not buckets.take(-1)
    assert len(buckets._of) == limits.BUCKETS_MAX
    assert not buckets.take(-1)
    assert buckets.take(0)
