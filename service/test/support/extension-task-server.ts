/** An MCP server over streamable HTTP of revision 2026-07-28, which answers its tool with a task of the extension. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { listening } from '../../../test/support/listening';

export interface TaskServer {
  url: string;
  /** The methods about tasks that were called. */
  methods: string[];
  /** The status of the answer to a look at the task, by its token. Undefined: the answer is the task. */
  refuse: (token: string | undefined) => number | undefined;
}

/** @param states of the task, one for each look at it; the last one stays */
export async function startTaskServer(states: readonly object[]): Promise<TaskServer> {
  const served: TaskServer = { url: '', methods: [], refuse: () => undefined };
  let looks = 0;
  const task = (state: object) => ({
    taskId: 'task-1',
    status: 'working',
    createdAt: '2026-07-28T00:00:00Z',
    lastUpdatedAt: '2026-07-28T00:00:00Z',
    ttlMs: null,
    pollIntervalMs: 20,
    ...state,
  });
  const handler = createMcpHandler(() => {
    const server = new Server(
      { name: 'tasks', version: '1' },
      { capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    );
    const params = z.looseObject({ taskId: z.string() });
    server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'research', inputSchema: { type: 'object' } }] }));
    server.setRequestHandler('tools/call', () => ({ resultType: 'task', ...task({}) }) as never);
    server.setRequestHandler('tasks/get', { params, result: z.looseObject({}) }, async () => {
      served.methods.push('tasks/get');
      return task(states[Math.min(looks++, states.length - 1)] ?? {});
    });
    server.setRequestHandler('tasks/cancel', { params, result: z.looseObject({}) }, async () => {
      served.methods.push('tasks/cancel');
      return {};
    });
    return server;
  });
  const url = await listening(
    createServer(async (incoming, outgoing) => {
      const body = await buffer(incoming);
      const refused = body.includes('tasks/get') ? served.refuse(incoming.headers.authorization) : undefined;
      if (refused !== undefined) return outgoing.writeHead(refused).end('no');
      const headers = new Headers(incoming.headers as Record<string, string>);
      const {
        status,
        headers: sent,
        body: answer,
      } = await handler.fetch(
        new Request(`http://127.0.0.1${incoming.url}`, { method: incoming.method ?? 'POST', headers, ...(body.length > 0 && { body }) }),
      );
      outgoing.writeHead(status, Object.fromEntries(sent));
      for await (const chunk of answer ?? []) outgoing.write(chunk);
      return outgoing.end();
    }),
  );
  served.url = `${url}/mcp`;
  return served;
}
