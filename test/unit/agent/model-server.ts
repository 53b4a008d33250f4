/** A model's server on loopback with scripted answers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { ModelRequest } from '../../../src/agent/model/ask-model';
import { chatCompletionsModel } from '../../../src/agent/model/chat-completions';

export const KEY = 'sk-secret-1234567890';

interface ReceivedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: { model: string; messages: Record<string, unknown>[]; [member: string]: unknown };
}

type Respond = (response: ServerResponse) => void;

export async function startModelServer(respond: Respond) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(await text(request)) });
    respond(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  });
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, OPENAI_API_KEY: KEY };
  return { requests, env, model: chatCompletionsModel({ env }) };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Respond {
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function events(...chunks: unknown[]): Respond {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join(''));
  };
}

export function delta(part: object, finish_reason: string | null = null) {
  return { choices: [{ index: 0, delta: part, finish_reason }] };
}

export function request(options: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'openai/gpt-test',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [],
    signal: new AbortController().signal,
    ...options,
  };
}
