/**
 * A stand-in for a model: speaks the chat-completions wire and plays a script. What it says comes from a list of rules; what it searches
 * for, calls and reports is real. For the demo, and for tests that must run without a key.
 *
 *   node examples/scripted-model.ts     then set OPENAI_BASE_URL to the address that it prints
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { toChunks, toCompletion } from './scripted-model/completion.ts';
import { readConversation } from './scripted-model/conversation.ts';
import { parseRequest, RequestError } from './scripted-model/request.ts';
import { play, type Script } from './scripted-model/script.ts';
import { SCRIPTS } from './scripted-model/scripts.ts';

export interface ScriptedModel {
  /** For `new OpenAI({ baseURL })`. */
  baseURL: string;
  close(): Promise<void>;
}

export async function startScriptedModel({
  scripts = SCRIPTS,
  port = 0,
}: {
  scripts?: Script[];
  port?: number;
} = {}): Promise<ScriptedModel> {
  const server = createServer((request, response) => {
    void answer(request, response, scripts);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, scripts: Script[]): Promise<void> {
  try {
    refuseWrongAddress(request);
    const asked = parseRequest(await text(request));
    const completion = toCompletion(asked, play(scripts, readConversation(asked)));
    if (!asked.stream) return sendJson(response, 200, completion);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    for (const chunk of toChunks(completion, asked.stream_options?.include_usage === true))
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end('data: [DONE]\n\n');
  } catch (error) {
    const told = error instanceof RequestError ? error : new RequestError(500, `The script broke: ${(error as Error).message}`);
    sendJson(response, told.status, told);
  }
}

function refuseWrongAddress({ method, url, headers }: IncomingMessage): void {
  if (url?.split('?', 1)[0] !== '/v1/chat/completions')
    throw new RequestError(404, `There is nothing at ${url}; POST to /v1/chat/completions`);
  if (method !== 'POST') throw new RequestError(405, `${method} is not possible here; POST to /v1/chat/completions`);
  if (!/^Bearer \S/.test(headers.authorization ?? '')) {
    throw new RequestError(401, 'Send an API key as "Authorization: Bearer …"; any will do here', { code: 'invalid_api_key' });
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

if (import.meta.main) {
  const { baseURL } = await startScriptedModel({ port: Number(process.env.PORT ?? 0) });
  console.log(`A scripted model speaks at ${baseURL}`);
}
