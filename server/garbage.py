"""Python's search for garbage in cycles, made seldom and short.

A look at everything that 500 tables hold takes a second, in which no move is answered, and finds
next to nothing: what a hand leaves behind is let go by its counts of references. So what has lived
through one look is not looked at again until a whole look is due.

Owns:     the thresholds of the collector, and what it no longer looks at, of this process.
Imports:  the standard library.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final

THRESHOLDS: Final = (1_500, 10, 50)
"""How seldom there is a look, by generation; by default the oldest is looked at every ten seconds
when 500 tables are played.
"""

WHOLE_EVERY_S: Final = 600
"""After so long the next look at the oldest generation is one at everything: a closed socket, say,
may be such a cycle, and its memory waits for that.
"""

OLDEST: Final = 2


@contextmanager
def looked_for_seldom(clock: Callable[[], float] = monotonic) -> Iterator[None]:
    """Look seldom, and twice at nothing but in a whole look; in the end, as Python does.

    Units: `clock` in seconds.
    """
    last_whole = clock()

    def look(phase: str, about: dict[str, Any]) -> None:
        nonlocal last_whole
        if about["generation"] != OLDEST:
            return
        if phase == "stop":
            gc.freeze()
        elif clock() - last_whole >= WHOLE_EVERY_S:
            gc.unfreeze()
            last_whole = clock()

    before = gc.get_threshold()
    gc.set_threshold(*THRESHOLDS)
    gc.callbacks.append(look)
    gc.collect()  # what is there now is looked at once, and stays
    try:
        yield
    finally:
        gc.callbacks.remove(look)
        gc.set_threshold(*before)
        gc.unfreeze()
