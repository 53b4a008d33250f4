/**
 * The least that a relay can do: a POST body is parsed once, its bytes go to the toolkit, the bytes of the answer come back. No keys, no
 * checks, no records, no deadlines. Frame: `<number> <JSON>`, so that frames are matched without parsing.
 *
 * `node service.ts [FOLDER]`: with a folder, each call is durable before it is sent and before it is answered.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { corkPerTurn } from './cork.ts';
import { openDurable } from './durable.ts';

const [, , folder] = process.argv;
const durable = folder === undefined ? undefined : openDurable(folder);

const waiting = new Map<string, ServerResponse>();
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 8 * 1024 * 1024 });
let sendToToolkit: ((frame: string) => void) | undefined;
let calls = 0;

const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(sendToToolkit ? 200 : 503).end();
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    JSON.parse(body);
    const id = String(++calls);
    waiting.set(id, response);
    const send = () => sendToToolkit?.(`${id} ${body}`);
    // Node parses the headers when they are read: the bare relay does not need them.
    if (durable) durable.started(id, String(request.headers['idempotency-key']), body, send);
    else send();
  });
});

server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (toolkit: WebSocket) => {
    const cork = corkPerTurn(socket);
    sendToToolkit = (frame) => {
      cork();
      toolkit.send(frame);
    };
    toolkit.on('message', (data) => settle(String(data)));
  });
});

function settle(frame: string): void {
  const border = frame.indexOf(' ');
  const [id, result] = [frame.slice(0, border), frame.slice(border + 1)];
  if (durable) durable.ended(id, result, () => answer(id, result));
  else answer(id, result);
}

function answer(id: string, result: string): void {
  const body = `{"invocationId":"inv_${id}","result":${result}}`;
  waiting
    .get(id)
    ?.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
  waiting.delete(id);
}

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
