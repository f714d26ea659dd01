"""What is an overload and what is only a late moment, on a clock of the test's own."""

from server.web.strain import LASTING_S, LOOK_S, Strain


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def looks(strain: Strain, clock: Clock, *, seconds: float, loop_s: float = 0.0) -> None:
    """Let time pass and look at it as the task does."""
    end = clock.now + seconds
    while clock.now < end:
        clock.now += LOOK_S + loop_s
        strain.look(loop_s)


def test_a_loop_that_is_late_for_a_while_is_an_overload_until_it_is_in_time_again() -> None:
    clock = Clock()
    strain = Strain(500, clock)
    looks(strain, clock, seconds=10)
    looks(strain, clock, seconds=LASTING_S / 2, loop_s=0.6)
    assert not strain.is_over
    looks(strain, clock, seconds=2 * LASTING_S, loop_s=0.6)
    assert strain.is_over
    assert strain.lag_ms == 600
    looks(strain, clock, seconds=LOOK_S)
    assert not strain.is_over


def test_one_long_halt_is_no_overload() -> None:
    clock = Clock()
    strain = Strain(500, clock)
    for _ in range(5):
        looks(strain, clock, seconds=LOOK_S, loop_s=60)
        assert not strain.is_over
        looks(strain, clock, seconds=LOOK_S)


def test_commands_that_are_all_late_are_an_overload_and_one_among_quick_ones_is_not() -> None:
    clock = Clock()
    strain = Strain(500, clock)
    with strain.command():  # it waits, and all others are quick
        for _ in range(100):
            with strain.command():
                clock.now += 0.01
            looks(strain, clock, seconds=LOOK_S)
            assert not strain.is_over
        looks(strain, clock, seconds=LASTING_S + 1)  # nothing but it is there, and it waits
        assert strain.is_over
    looks(strain, clock, seconds=LOOK_S)
    assert strain.is_over, "it has been answered, late"
    looks(strain, clock, seconds=LOOK_S)
    assert not strain.is_over
    assert strain.lag_ms == 0
