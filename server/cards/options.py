"""A table's options as text: what fairdeal/1 hashes, and what JSON holds."""

from dataclasses import fields

from server.cards.game import TableOptions


def options_text(options: TableOptions) -> str:
    """Write the options as fairdeal/1 hashes them: sorted `key=value` lines, a newline after each.

    Booleans are `true` and `false`. Source: fairdeal/1 section 3 ("options").
    """
    lines = [f"{key}={_plain(value)}\n" for key, value in options_fields(options).items()]
    return "".join(sorted(lines))


def options_fields(options: TableOptions) -> dict[str, int | bool | str]:
    """List the options by name, as JSON would hold them."""
    return {f.name: getattr(options, f.name) for f in fields(options)}  # type: ignore[arg-type]


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
