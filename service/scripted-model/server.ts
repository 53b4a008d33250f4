/**
 * A scripted model: implements the providers' wires and plays a script. Its texts follow a list of rules; its searches, calls and reports are
 * real. For the demos, and for tests without a key.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { anthropicMessages } from './anthropic-messages.ts';
import { chatCompletions } from './chat-completions.ts';
import type { Conversation } from './conversation.ts';
import { generateContent } from './generate-content.ts';
import { responses } from './responses.ts';
import { play } from './script.ts';
import { SCRIPTS } from './scripts.ts';
import type { Speech } from './speech.ts';
import { RequestError, type Wire } from './wire.ts';

const WIRES: Wire[] = [chatCompletions, responses, anthropicMessages, generateContent];

export interface ScriptedModel {
  /** The address of the server without a path, for `new Anthropic({ baseURL })`. */
  origin: string;
  /** The address for `new OpenAI({ baseURL })`. */
  baseURL: string;
  close(): Promise<void>;
}

/** Returns the next turn of a conversation, perhaps later. */
export type Speaker = (conversation: Conversation) => Speech | Promise<Speech>;

export async function startScriptedModel({
  speak = (conversation) => play(SCRIPTS, conversation),
  onRequest = () => {},
  port = 0,
}: {
  speak?: Speaker;
  /** Called with the body of each request. */
  onRequest?: (body: string) => void;
  port?: number;
} = {}): Promise<ScriptedModel> {
  const server = createServer((request, response) => {
    void answer(request, response, { speak, onRequest });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseURL: `${origin}/v1`,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Listener {
  speak: Speaker;
  onRequest: (body: string) => void;
}

async function answer(request: IncomingMessage, response: ServerResponse, { speak, onRequest }: Listener): Promise<void> {
  const path = request.url?.split('?', 1)[0] ?? '';
  const wire = WIRES.find((candidate) => candidate.path.test(path));
  try {
    if (!wire) throw new RequestError(404, `There is nothing at ${path}`);
    refuseWrongWay(request, wire);
    const body = await text(request);
    onRequest(body);
    const asked = wire.read(body, path);
    const said = asked.write(await speak(asked.conversation));
    if ('json' in said) return sendJson(response, 200, said.json);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    for (const event of said.events) response.write(event);
    response.end();
  } catch (error) {
    const shown = error instanceof RequestError ? error : new RequestError(500, `The script broke: ${(error as Error).message}`);
    sendJson(response, shown.status, (wire ?? chatCompletions).error(shown));
  }
}

function refuseWrongWay({ method, headers }: IncomingMessage, { key }: Wire): void {
  if (method !== 'POST') throw new RequestError(405, `${method} is not possible here; POST it`);
  if (!key.sent(headers)) throw new RequestError(401, `Send an API key as ${key.hint}; any will do here`, { code: 'invalid_api_key' });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
