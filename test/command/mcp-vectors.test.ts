/** `svc-tools-mcp`, as it is built, answers the lines of test/vectors/mcp-stdio.json. */
import { test, vi } from 'vitest';
import { type Bindings, expectMatch } from '../support/match';
import { startMcp } from '../support/mcp-process';
import { type Exchange, startVectorService } from '../support/vector-exchanges';
import { vector } from '../support/vectors';

interface Conversation {
  name: string;
  env?: Record<string, string>;
  /** A text is not a message. */
  client: (Record<string, unknown> | string)[];
  server: { id: unknown }[];
  exchanges?: Exchange[];
}

test.each(vector<Conversation[]>('mcp-stdio'))('$name', async ({ env, client, server, exchanges = [] }) => {
  const { url, requestOf } = await startVectorService(exchanges);
  const mcp = startMcp({ SVC_BASE_URL: url, SVC_AGENT_API_KEY: 'svc_agent_vectors', ...env });
  for (const line of client) mcp.send(typeof line === 'string' ? `${line}\n` : line);
  const answers = await vi.waitFor(() => {
    const found = server.map(({ id }) => mcp.received.find((message) => message.id === id));
    if (found.includes(undefined)) throw new Error(`Not all answers came: ${JSON.stringify(mcp.received)}; ${mcp.stderr()}`);
    return found;
  });
  const bindings: Bindings = new Map();
  expectMatch(answers, server, bindings);
  for (const exchange of exchanges) {
    const headers = Object.entries(exchange.request.headers ?? {});
    expectMatch(requestOf(exchange), { headers: Object.fromEntries(headers) }, bindings);
  }
});
