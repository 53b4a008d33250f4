"""The command ``svc-tools-mcp``: the tools of a service for an MCP client, which starts the command and uses its stdin
and stdout.
"""

import sys

from svc.mcp.help import HELP
from svc.version import __version__


def main() -> None:
    arguments = sys.argv[1:]
    if "--help" in arguments or "-h" in arguments:
        sys.stdout.write(HELP)
    elif "--version" in arguments:
        print(__version__)
    else:
        from svc.mcp.serve import serve

        serve(arguments)
