"""``python -m datasheet_lsp``: the command line."""

import sys

from datasheet_lsp.cli.main import main

sys.exit(main())
