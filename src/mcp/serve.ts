/** Serves one client on stdin and stdout. The process ends with the client, even during a call, which cancels the call. */
import type { JSONRPCMessage, McpServerFactory } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { exactStdin } from './exact-stdin';
import { log } from './log';

export function serve(factory: McpServerFactory): void {
  const transport: StdioServerTransport = new StdioServerTransport(
    exactStdin(process.stdin, (message) => transport.onmessage?.(message as JSONRPCMessage)),
  );
  const connection = serveStdio(factory, { transport, onerror: (error) => log(inOneLine(error)) });
  const closed = transport.onclose;
  transport.onclose = () => {
    closed?.();
    process.exit();
  };
  // The first process of a container ignores these signals without a listener.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void connection.close());
  if (process.stdin.isTTY) process.stderr.write('svc-tools-mcp waits for an MCP client on stdin; --help shows how to set one up.\n');
}

/** The SDK's error for JSON that is not a message has a hundred lines. */
function inOneLine(error: Error): Error {
  return error.name === 'ZodError' ? new Error('A line on stdin is not a message of MCP and was ignored') : error;
}
