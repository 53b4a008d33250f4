# An MCP server without tools that ignores the end of its stdin and SIGTERM, as does the child that it starts. $1 is in the command lines of both.
trap '' TERM HUP INT PIPE
sh -c 'while :; do sleep 1000; done' "child $1" &
read -r request
printf '%s\n' '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"deaf","version":"1"}}}'
while :; do sleep 1000; done
