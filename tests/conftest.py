from __future__ import annotations

import os

# No test embeds what it indexes unless it is about that: loading a model takes seconds each time.
os.environ.setdefault("DATASHEET_EMBED", "off")
