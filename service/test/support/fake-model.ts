/** A model on loopback that pages may call: the scripted model's wire of chat completions, with CORS, and with faults on demand. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { chatCompletions } from '../../scripted-model/chat-completions';
import type { Conversation } from '../../scripted-model/conversation';
import type { Speech } from '../../scripted-model/speech';

export interface FakeModel {
  /** The `baseURL` of `new OpenAI()`. */
  url: string;
  requests: { authorization: string | undefined; cookie: string | undefined; body: string }[];
  /** Answers the next request in place of the model. */
  failOnce(answer: (response: ServerResponse) => void): void;
}

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization, content-type' };

export async function startFakeModel(speak: (conversation: Conversation) => Speech): Promise<FakeModel> {
  const requests: FakeModel['requests'] = [];
  let fault: ((response: ServerResponse) => void) | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    const body = await text(request);
    const { authorization, cookie } = request.headers;
    requests.push({ authorization, cookie, body });
    const failing = fault;
    fault = undefined;
    if (failing) return failing(response);
    // The wire of the scripted model knows no parts: images come as text here.
    const asked = chatCompletions.read(flat(body), request.url ?? '');
    const said = asked.write(speak(asked.conversation));
    if ('json' in said) return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said.json));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of said.events) response.write(event);
    return response.end();
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    url,
    requests,
    failOnce: (failing) => {
      fault = failing;
    },
  };
}

/** Images of results are left out, since they are not a question. */
function flat(body: string): string {
  const { messages, ...request } = JSON.parse(body) as { messages: { role: string; content: unknown }[] };
  const kept = messages.filter(({ content }) => !JSON.stringify(content ?? '').includes('Images of the results above'));
  return JSON.stringify({ ...request, messages: kept });
}
