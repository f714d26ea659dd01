"""The closed list of refusals: what a client shows for each code, in English and in Hindi.

Owns:     `REFUSALS`; `house.py` has the house's part, `games.py` the games'.
Promises: each code stands once. The words are the players' own: पत्ता, बाज़ी, हाथ, टेबल, सीट, बारी,
          डील, सीड, टोकन.
Imports:  the standard library.
"""

from collections.abc import Mapping
from typing import Final

from server.refusal_texts.games import GAMES
from server.refusal_texts.house import HOUSE
from server.refusal_texts.texts import Texts

__all__ = ["REFUSALS", "Texts"]

REFUSALS: Final[Mapping[str, Texts]] = {**HOUSE, **GAMES}
