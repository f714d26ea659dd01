"""Why a socket is closed: the closed list of spec/wire.md."""

from typing import Final

CLOSE_ABUSE: Final = 1008
CLOSE_RESTART: Final = 1012
CLOSE_OVERLOAD: Final = 1013
CLOSE_SIGNED_OUT: Final = 4401
CLOSE_PUT_OUT: Final = 4403
CLOSE_REPLACED: Final = 4409
CLOSE_VERSION: Final = 4412
CLOSE_RATE: Final = 4429


class Closing(Exception):
    """This side ends the connection, with `code`."""

    def __init__(self, code: int) -> None:
        super().__init__(str(code))
        self.code = code
