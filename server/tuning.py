"""What the settings say, as parts want to hear it: addresses, clocks, limits, periods, staff."""

from server.database import Addresses, engine_url
from server.errors import Fault
from server.jobs import Periods
from server.practice import Staff
from server.settings import Settings
from server.tables.clock import Clocks
from server.web.limits import Limits, Rate


def addresses_of(settings: Settings) -> Addresses | None:
    """Give the addresses of a database that is not the embedded one, None if there are none.

    Errors: Fault if one is no address, or if the owner has one and the application none.
    """
    owner, application = settings.owner_database_url, settings.database_url
    if application is None:
        if owner is not None:
            raise Fault("PAKKA_OWNER_DATABASE_URL is set, and DATABASE_URL is not")
        return None
    engine_url(application)
    engine_url(owner or application, variable="PAKKA_OWNER_DATABASE_URL")
    return Addresses(owner=owner or application, application=application)


def clocks_of(settings: Settings) -> Clocks:
    """Give the clocks of every table."""
    return Clocks(
        commit_ms=settings.commit_ms,
        reveal_ms=settings.reveal_ms,
        reshuffle_ms=settings.reshuffle_ms,
        result_ms=settings.result_ms,
        seat_out_max_ms=settings.seat_out_max_ms,
    )


def limits_of(settings: Settings) -> Limits:
    """Give the limits of a connection."""
    return Limits(
        heartbeat_ms=settings.heartbeat_ms,
        presence_ms=settings.presence_ms,
        here_every_ms=settings.presence_ms // 8,
        hello_ms=settings.hello_ms,
        command_ms=settings.command_ms,
        tables=settings.watched_max,
        bad_frames=settings.bad_frames_max,
        frame_bytes=settings.frame_max_bytes,
        pieces=settings.pieces_max,
        frames=settings.frames_per_second_max,
        sockets=settings.sockets_max,
        connections=settings.connections_max,
        of_address=settings.address_max,
        proxies=settings.trusted_proxies,
        lag_ms=settings.lag_ms,
        head_ms=settings.head_ms,
        body_ms=settings.body_ms,
        body_bytes=settings.body_max_bytes,
        reader_ms=settings.reader_ms,
        requests_at_once=settings.requests_max,
        exports_at_once=settings.exports_max,
        passwords_at_once=settings.passwords_max,
        passwords_waiting=settings.passwords_waiting_max,
        outbox=settings.outbox_max,
        replay=replay_of(settings),
        moves=Rate(settings.moves_per_second, settings.moves_burst),
        rest=Rate(settings.messages_per_second, settings.messages_burst),
        strikes=Rate(settings.slow_downs_per_minute / 60, settings.slow_downs_burst),
        requests=Rate(settings.requests_per_second, settings.requests_burst),
        sign_ins=Rate(settings.sign_ins_per_minute / 60, settings.sign_ins_per_minute),
    )


def replay_of(settings: Settings) -> int:
    """A replay comes in one piece, so it must leave room in an outbox."""
    return min(settings.replay_max, settings.outbox_max * 3 // 4)


def periods_of(settings: Settings) -> Periods:
    """Say when jobs run."""
    return Periods(
        sweep_ms=settings.sweep_ms,
        seal_ms=settings.seal_ms,
        reply_days=settings.stored_reply_days,
        time_zone=settings.time_zone,
    )


def staff_of(settings: Settings, url: str, secret: str) -> Staff:
    """Say which bots `serve` seats, and where."""
    return Staff(
        url=url,
        secret=secret,
        folder=settings.home / "bots",
        count=settings.practice_bots,
        pace_ms=settings.bot_pace_ms,
    )
