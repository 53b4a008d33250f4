/**
 * An embedding server over real HTTP, OpenAI-compatible. Its vectors are made of the words of a text, where words of one meaning
 * are one: `automobile` is near `fahrzeug`.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Words in two languages, so that no list of synonyms contains them. */
const MEANINGS = [
  ['automobile', 'fahrzeug', 'wagen'],
  ['weather', 'niederschlag', 'regen'],
  ['invoice', 'rechnung', 'schulden'],
  ['physician', 'arzt'],
];
const WITHOUT_MEANING = new Set(['a', 'an', 'the', 'of', 'for', 'to', 'and', 'i', 'my', 'some', 'do', 'we']);

export interface EmbeddingRequest {
  path: string;
  headers: IncomingHttpHeaders;
  model: string;
  input: string[];
  dimensions?: number;
}

/** Answers in place of the server; `answer` gives the normal answer. */
export type Behaviour = (response: ServerResponse, request: EmbeddingRequest, answer: () => void) => unknown;

export class EmbeddingsServer {
  readonly requests: EmbeddingRequest[] = [];
  behaviour: Behaviour = (_response, _request, answer) => answer();
  readonly #dimensions: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  private constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  /** Runs until the test ends, or `stop`. */
  static async start({ dimensions = 64 } = {}): Promise<EmbeddingsServer> {
    const server = new EmbeddingsServer(dimensions);
    await server.start();
    onTestFinished(() => server.stop());
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  /** All texts that were sent, in the order of their arrival. */
  get texts(): string[] {
    return this.requests.flatMap(({ input }) => input);
  }

  /** Starts on the same port as before. */
  async start(): Promise<void> {
    const server = createServer(async (incoming, response) => {
      let text = '';
      for await (const chunk of incoming) text += chunk;
      const request: EmbeddingRequest = { path: incoming.url ?? '', headers: incoming.headers, ...JSON.parse(text) };
      this.requests.push(request);
      await this.behaviour(response, request, () => sendJson(response, this.answer(request)));
    });
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => void server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Like a kill: open requests are aborted. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => void (this.#server ? this.#server.close(() => resolve()) : resolve()));
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  answer({ input, model, dimensions = this.#dimensions }: EmbeddingRequest) {
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: embed(text, dimensions) }));
    return { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
  }
}

export function embed(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    if (WITHOUT_MEANING.has(word)) continue;
    const meaning = MEANINGS.find((words) => words.some((known) => word === known || word === `${known}s`))?.[0] ?? word;
    const hash = createHash('sha256').update(meaning).digest();
    // Each word has a few numbers of its own, so that words do not collide.
    for (let i = 0; i < 4; i++) vector[hash.readUInt16LE(4 * i) % dimensions]! += hash[4 * i + 2]! & 1 ? 1 : -1;
  }
  if (!vector.some(Boolean)) vector[0] = 1;
  return vector;
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
