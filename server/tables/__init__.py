"""Tables: one task per table, from the first seat taken to the last token settled.

Owns:     the journal, the lease, the phases of a deal, the clock, who hears what.
Promises: one transaction per command; a state is believed only after its commit; the journal
          alone rebuilds a table; a card leaves only through a game's `view` or an opening that
          its seat has been given.
Imports:  everything below; nothing of web or bots.
"""
