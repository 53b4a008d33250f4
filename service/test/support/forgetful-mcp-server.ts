/** An MCP server over streamable HTTP whose sessions can be dropped, as by a restart: then it rejects all but `initialize`. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from '../../../test/support/listening';

export interface ForgetfulServer {
  url: string;
  forget(): void;
  /** Headers of the last request. */
  readonly headers: () => IncomingMessage['headers'];
  readonly sessions: () => number;
}

const TOOLS = ['count', 'expire', 'cut', 'busy', 'leave'].map((name) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object' },
}));

export interface Refusal {
  status: number;
  /** A text; JSON when it has `$id`, which becomes the id of the request. */
  body: string;
}

/** @param refusal the answer to a request with a dropped session */
export async function startForgetfulServer(refusal: Refusal): Promise<ForgetfulServer> {
  const sessions = new Set<string>();
  let started = 0;
  let hasForgotten = false;
  let calls = 0;
  let headers: IncomingMessage['headers'] = {};

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    headers = request.headers;
    const session = request.headers['mcp-session-id'];
    if (request.method !== 'POST') return response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
    const { id, method, params } = JSON.parse(await text(request));
    if (method !== 'initialize' && (session === undefined ? hasForgotten : !sessions.has(String(session)))) {
      const type = refusal.body.includes('$id') ? 'application/json' : 'text/plain';
      return response.writeHead(refusal.status, { 'content-type': type }).end(refusal.body.replace('$id', String(id ?? null)));
    }
    if (id === undefined) return response.writeHead(202).end();
    const reply = (message: object, more = {}) =>
      response.writeHead(200, { 'content-type': 'application/json', ...more }).end(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
    if (method === 'initialize') {
      const sessionId = `session-${++started}`;
      sessions.add(sessionId);
      const result = {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'forgetful', version: '1' },
      };
      return reply({ result }, { 'mcp-session-id': sessionId });
    }
    if (method === 'tools/list') return reply({ result: { tools: TOOLS } });
    if (method === 'ping') return reply({ result: {} });
    if (method !== 'tools/call') return reply({ error: { code: -32601, message: 'Method not found' } });
    if (params.name === 'expire')
      return reply({ error: { code: -32001, message: `Session of the shop not found after ${++calls} calls` } });
    if (params.name === 'busy') return response.writeHead(503).end('later');
    if (params.name === 'leave') return response.writeHead(307, { location: 'http://127.0.0.1:1/mcp' }).end();
    if (params.name === 'cut') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': soon\n\n');
      return setImmediate(() => response.destroy());
    }
    return reply({ result: { content: [{ type: 'text', text: String(++calls) }] } });
  };

  const forget = () => {
    sessions.clear();
    hasForgotten = true;
  };
  const url = await listening(createServer((request, response) => void answer(request, response)));
  return { url: `${url}/mcp`, forget, headers: () => headers, sessions: () => started };
}
