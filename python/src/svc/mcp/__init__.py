"""``svc-tools-mcp``: the MCP server over stdio. docs/mcp.md."""
