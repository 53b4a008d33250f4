"""The text of ``svc-tools-mcp --help``."""

HELP = """svc-tools-mcp: the tools of an svc-sdk service for an MCP client.

The client starts it and speaks with it over stdin and stdout. For most clients:

  {
    "mcpServers": {
      "svc": {
        "command": "uvx",
        "args": ["--from", "svc-sdk", "svc-tools-mcp"],
        "env": { "SVC_AGENT_API_KEY": "svc_agent_…" }
      }
    }
  }

Variables:
  SVC_AGENT_API_KEY    agent key, from who runs the service
  SVC_BASE_URL         where the service is (http://127.0.0.1:8787)
  SVC_DYNAMIC_TOOLS    offer search_services and invoke_service: true or false (true)
  SVC_CODE             offer run_code too, where the service runs code and the key may: true or false (false)
  SVC_STATIC_TOOLKITS  toolkit ids with commas between: every action becomes a tool of its own
  SVC_STATIC_ACTIONS   action ids with commas between that become tools of their own
  SVC_MAX_PAYMENT      the most that one call may cost, such as 0.05, within the budget of the key
  SVC_USER_ID          your id of the user, for handlers, connections and the service's records
  SVC_SESSION_ID       your id of the conversation, for the same records
  SVC_CONNECTIONS      credentials for toolkits that ask for them: github Bearer <token>, shop Basic <base64>
  SVC_CONNECTION_NAMES the connections to use, where the user has several of one toolkit: github work

Options:
  --help, --version

To look at it by hand: npx @modelcontextprotocol/inspector -e SVC_AGENT_API_KEY=$SVC_AGENT_API_KEY uvx --from svc-sdk \
svc-tools-mcp
"""
