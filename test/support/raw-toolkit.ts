/** A toolkit that sends any frame of the test, on a bare socket. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { TestService } from './service';

export class RawToolkit {
  readonly received: Record<string, unknown>[] = [];
  closed: { code: number; reason: string } | undefined;
  readonly #socket: WebSocket;
  readonly #stream: Socket;
  #ids = 0;

  constructor(socket: WebSocket, stream: Socket) {
    this.#socket = socket;
    this.#stream = stream;
    socket.on('message', (data) => this.received.push(JSON.parse(String(data))));
    // The service may reset the connection while a frame is on its way.
    socket.on('error', () => {});
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
  }

  /** Connects with a new key of toolkit `raw`, by default. */
  static async connect(service: TestService): Promise<RawToolkit>;
  static async connect(service: { url: string }, apiKey: string): Promise<RawToolkit>;
  static async connect(service: { url: string } | TestService, apiKey?: string): Promise<RawToolkit> {
    const key = apiKey ?? (await (service as TestService).keys.create({ kind: 'toolkit', name: 'raw' })).key;
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/v1/toolkit`, { headers: { authorization: `Bearer ${key}` } });
    onTestFinished(() => socket.terminate());
    const [[response]] = await Promise.all([once(socket, 'upgrade'), once(socket, 'open')]);
    return new RawToolkit(socket, response.socket);
  }

  send(frame: unknown): void {
    this.#socket.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame));
  }

  /** Sends one text message, each part one fragment; ends early when the socket closes. Returns the number of sent parts. */
  async sendFragments(parts: Iterable<string>): Promise<number> {
    let sent = 0;
    for (const part of parts) {
      const failed = await new Promise((resolve) => this.#socket.send(part, { fin: false }, resolve));
      if (failed) break;
      sent++;
    }
    return sent;
  }

  /** The first `sent` bytes of a frame of `bytes`. */
  sendHalf(bytes: number, sent: number): void {
    const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    header.writeUInt32BE(bytes, 6);
    this.sendBytes(Buffer.concat([header, Buffer.alloc(sent, ' ')]));
  }

  /** The same frame again and again, at once. */
  sendMany(frame: unknown, count: number): void {
    const text = Buffer.from(JSON.stringify(frame));
    const header = Buffer.from([0x81, 0xfe, 0, 0, 0, 0, 0, 0]);
    header.writeUInt16BE(text.length, 2);
    const short = Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]);
    this.sendBytes(Buffer.concat(Array.from({ length: count }, () => [text.length < 126 ? short : header, text]).flat()));
  }

  /** Bytes of the WebSocket protocol. */
  sendBytes(bytes: Buffer): void {
    this.#stream.write(bytes);
  }

  /** The n-th `invoke` frame, once it is there. */
  invoked(index = 0): Promise<{ id: string; params: Record<string, unknown> }> {
    return vi.waitFor(() => {
      const frame = this.received.filter(({ method }) => method === 'invoke')[index];
      if (!frame) throw new Error('no invoke');
      return frame as { id: string; params: Record<string, unknown> };
    });
  }

  /** Stops reading, so it answers no closing handshake. */
  fallSilent(): void {
    this.#socket.pause();
  }

  /** Closes like the operating system after a process crash. */
  endStream(): void {
    this.#stream.end();
  }

  /** Closes like a network failure. */
  reset(): void {
    this.#stream.resetAndDestroy();
  }

  /** Resolves when the service has closed too. */
  async close(code = 1000, reason = ''): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close(code, reason);
    await closed;
  }

  async request(method: string, params?: unknown): Promise<Record<string, unknown>> {
    const id = ++this.#ids;
    this.send({ jsonrpc: '2.0', id, method, params });
    return vi.waitFor(() => {
      const answer = this.received.find((frame) => frame.id === id);
      if (!answer) throw new Error(`no answer to ${method}`);
      return answer;
    });
  }

  register(actions: unknown[] | undefined, more: object = {}): Promise<Record<string, unknown>> {
    return this.request('register', {
      protocol: 1,
      sdk: 'raw/1',
      instance: 'raw-instance',
      actions,
      concurrency: 10,
      unfinished: [],
      ...more,
    });
  }
}
