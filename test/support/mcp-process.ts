/** The built `svc-tools-mcp`, with a client that sends any JSON-RPC line. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';

const BUILT = [process.execPath, fileURLToPath(new URL('../../dist/svc-tools-mcp.js', import.meta.url))];
/** The tests of the Python SDK name its program, which must pass the same tests. */
export const [MCP_RUNTIME = '', MCP_PROGRAM = ''] = process.env.MCP_TEST_COMMAND?.split(' ') ?? BUILT;

type Message = Record<string, unknown>;

export interface McpProcess {
  /** A string is sent unchanged. */
  send(message: Message | string): void;
  request(method: string, params?: unknown, id?: number | string): Promise<Message>;
  /** All that stdout held, each line one message of the protocol: anything else fails the test. */
  readonly received: Message[];
  readonly stderr: () => string;
  /** A client that leaves: stdin ends. */
  leave(): void;
  /** A client that is killed: stdin and stdout are closed. */
  vanish(): void;
  /** Stdout is closed. */
  deafen(): void;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export function startMcp(env: Record<string, string> = {}, args: string[] = []): McpProcess {
  const child = spawn(MCP_RUNTIME, [MCP_PROGRAM, ...args], { env: { PATH: process.env.PATH, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const received: Message[] = [];
  let stderr = '';
  let ids = 0;
  createInterface({ input: child.stdout }).on('line', (line) => received.push(JSON.parse(line)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // It may end before it has read everything.
  child.stdin.on('error', () => {});
  const send = (message: Message | string) =>
    void child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return {
    send,
    received,
    stderr: () => stderr,
    request(method, params, id = ++ids) {
      send({ id, method, ...(params !== undefined && { params }) });
      return vi.waitFor(
        () => {
          const answer = received.find((message) => message.id === id && !('method' in message));
          if (!answer) throw new Error(`No answer to ${method}; stderr: ${stderr}`);
          return answer;
        },
        { timeout: 30_000, interval: 5 },
      );
    },
    leave: () => void child.stdin.end(),
    vanish() {
      child.stdin.destroy();
      child.stdout.destroy();
    },
    deafen: () => void child.stdout.destroy(),
    kill: (signal) => void child.kill(signal),
    ended: new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal }))),
  };
}

/** Does the handshake of the revisions before 2026-07-28. */
export async function startInitializedMcp(env?: Record<string, string>, args?: string[]): Promise<McpProcess> {
  const mcp = startMcp(env, args);
  await mcp.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } });
  mcp.send({ method: 'notifications/initialized' });
  return mcp;
}
