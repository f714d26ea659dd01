"""A refusal's text in each language of the interface."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Texts:
    """What a refusal is called, in each language of the interface."""

    en: str
    hi: str
