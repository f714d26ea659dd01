"""Refusals: what the server answers to a request that it will not carry out.

A refusal is not a fault. Its code is stable and on the closed list in `refusal_texts.py`; its text
is English and for logs. A game raises `IllegalMove`, which carries the same three things.
"""


class Refusal(Exception):
    """A request that is refused; nothing has changed.

    Shape: `code` is one of the closed list, `field` names the offending field where there is one.
    """

    def __init__(self, code: str, text: str = "", field: str | None = None) -> None:
        super().__init__(f"{code}: {text}" if text else code)
        self.code = code
        self.text = text or code
        self.field = field


class Fault(Exception):
    """Something of ours is broken; the text says what, in one line, for the operator."""
