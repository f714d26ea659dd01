"""From the settings to workers on one address, one PostgreSQL and one Redis."""

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack

import structlog

from server.database import Addresses
from server.embedded import EmbeddedPostgres, EmbeddedValkey
from server.errors import Fault
from server.logs import set_up_logging
from server.schema import prepare
from server.settings import Settings
from server.tuning import addresses_of
from server.upkeep.premises import make_home
from server.web.listening import address_of, bound
from server.workers.keeper import Signals, Workers

log = structlog.get_logger("workers")


def serve(settings: Settings, count: int, announce: Callable[[str], None]) -> None:
    """Run `count` serving processes until SIGTERM or SIGINT; `announce` is told their address.

    Errors: Fault in one line if something can't be started.
    """
    set_up_logging(level=settings.log_level, form=settings.log_format)
    signals = Signals()
    with ExitStack() as stack:
        premises = Premises(stack, settings)
        addresses, redis_url = premises.addresses, premises.redis_url
        make_home(settings.home)
        prepare(addresses)
        sock = stack.enter_context(bound(settings.host, settings.port))
        environment = {
            **os.environ,
            **_said(settings),
            "DATABASE_URL": addresses.application,
            "REDIS_URL": redis_url,
        }
        environment.pop("PAKKA_OWNER_DATABASE_URL", None)
        url = address_of(settings.host, sock.getsockname()[1])
        workers = Workers(count, sock, environment, signals, owner_url=addresses.owner)
        workers.run(lambda: announce(url), premises.demand)


class Premises:
    """The database and the messages' carrier: the given ones, or our own, which are watched."""

    def __init__(self, stack: ExitStack, settings: Settings) -> None:
        """Start what isn't given; it is stopped with the stack. Errors: Fault."""
        self._postgres: EmbeddedPostgres | None = None
        self._valkey: EmbeddedValkey | None = None
        given = addresses_of(settings)
        if given is None:
            self._postgres = EmbeddedPostgres.start(settings.home)
            stack.callback(self._postgres.stop)
            given = Addresses(owner=self._postgres.url, application=self._postgres.application_url)
        self.addresses = given
        if settings.redis_url is not None:
            self.redis_url = settings.redis_url
        else:
            self._valkey = EmbeddedValkey.start()
            stack.callback(self._valkey.stop)
            self.redis_url = self._valkey.url

    def demand(self) -> None:
        """Start our Valkey again if it has ended, at its address: the workers come back to it.

        Errors: Fault if our PostgreSQL has ended: the house ends with it.
        """
        if self._postgres is not None and not self._postgres.is_running():
            raise Fault("PostgreSQL has ended; see its log in PAKKA_HOME")
        if self._valkey is not None and not self._valkey.is_running():
            log.error("valkey_ended")
            self._valkey.start_again()


def _said(settings: Settings) -> Mapping[str, str]:
    """Write what the command's own options may have changed."""
    return {"PAKKA_HOST": settings.host, "PAKKA_HOME": str(settings.home)}
