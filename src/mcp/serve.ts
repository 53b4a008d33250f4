/** Serves one client on stdin and stdout. The process ends with the client, even during a call, which cancels the call. */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { log } from './log';

export function serve(factory: McpServerFactory): void {
  const transport = new StdioServerTransport();
  const connection = serveStdio(factory, { transport, onerror: (error) => log(inOneLine(error)) });
  const closed = transport.onclose;
  transport.onclose = () => {
    closed?.();
    process.exit();
  };
  // Without a listener, the first process of a container ignores these signals.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void connection.close());
  if (process.stdin.isTTY) process.stderr.write('svc-tools-mcp waits for an MCP client on stdin; --help tells how to set one up.\n');
}

/** The SDK's error for JSON that is not a message has a hundred lines. */
function inOneLine(error: Error): Error {
  return error.name === 'ZodError' ? new Error('What came on stdin is no message of MCP and was ignored') : error;
}
