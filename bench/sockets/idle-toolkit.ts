/**
 * A toolkit that registers one action and then only sends heartbeats, at the lowest cost: a TCP socket with a minimal handshake and codec. It
 * reconnects with the SDK's backoff, to the next of its addresses, as through a load balancer with the live nodes.
 *
 * Source: docs/protocol.md, section 6.
 */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { METHODS, PROTOCOL_VERSION } from '../../src/protocol/frames.ts';
import { PATHS } from '../../src/protocol/http.ts';
import { Backoff } from '../../src/toolkit/backoff.ts';
import { readFrame, textFrame } from './frames.ts';

/** Counts of the toolkits of one process since they were created. */
export interface ToolkitCounts {
  registered: number;
  beats: number;
  /** Heartbeats and registrations without an answer in time; sockets are cut for it. */
  unanswered: number;
  /** Sockets that closed unexpectedly. */
  lost: number;
  /** Reason -> how often an upgrade or a registration was refused. */
  refused: Record<string, number>;
}

export interface IdleToolkitOptions {
  addresses: readonly { host: string; port: number }[];
  apiKey: string;
  actions: readonly string[];
  counts: ToolkitCounts;
}

/** Same as in the SDK. */
const OPEN_MS = 20_000;
const NO_BYTES = Buffer.alloc(0);
const HEARTBEAT = textFrame(JSON.stringify({ jsonrpc: '2.0', id: 2, method: METHODS.heartbeat, params: {} }));

export class IdleToolkit {
  readonly #options: IdleToolkitOptions;
  readonly #instance = randomUUID();
  readonly #backoff = new Backoff(Math.random);
  #tries = 0;
  #socket: Socket | undefined;
  #received: Buffer = NO_BYTES;
  #isOpen = false;
  #isRegistered = false;
  #isStopped = false;
  #heartbeatMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #onRegistered: () => void = () => {};

  constructor(options: IdleToolkitOptions) {
    this.#options = options;
  }

  /** Resolves when it is registered for the first time. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRegistered = resolve;
      this.#connect();
    });
  }

  /** Breaks the connection; the toolkit reconnects. */
  cut(): void {
    this.#socket?.destroy();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#socket?.destroy();
  }

  #connect(): void {
    const { addresses } = this.#options;
    const address = addresses[this.#tries++ % addresses.length];
    if (!address) throw new Error('No address to connect to');
    const socket = connect({ ...address, noDelay: true });
    this.#socket = socket;
    this.#received = NO_BYTES;
    this.#timer = setTimeout(() => this.#giveUp(), OPEN_MS);
    socket.on('connect', () => socket.write(this.#handshake(address)));
    socket.on('data', (bytes) => this.#onBytes(bytes));
    // `close` follows.
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
  }

  #handshake({ host, port }: { host: string; port: number }): string {
    const lines = [
      `GET ${PATHS.toolkitSocket} HTTP/1.1`,
      `host: ${host}:${port}`,
      `authorization: Bearer ${this.#options.apiKey}`,
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${'A'.repeat(22)}==`,
    ];
    return `${lines.join('\r\n')}\r\n\r\n`;
  }

  #onBytes(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    if (!this.#isOpen && !this.#readHead()) return;
    for (let frame = readFrame(this.#received); frame; frame = readFrame(this.#received)) {
      this.#received = frame.rest.length === 0 ? NO_BYTES : frame.rest;
      if (frame.text !== '') this.#onText(frame.text);
    }
  }

  /** True once the upgrade is through. */
  #readHead(): boolean {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const [, status] = this.#received.toString('latin1', 0, end).split(' ', 2);
    if (status !== '101') {
      this.#refused(`HTTP ${status}`);
      return false;
    }
    this.#isOpen = true;
    this.#received = this.#received.subarray(end + 4);
    this.#socket?.write(textFrame(this.#registration()));
    return true;
  }

  #registration(): string {
    const payloadDescription = { city: 'name of the city', 'days?': 'number of days' };
    const actions = this.#options.actions.map((action) => ({
      action,
      actionDescription: `Forecast of ${action}: temperature and rain for the next days`,
      payloadDescription,
    }));
    const params = { protocol: PROTOCOL_VERSION, sdk: 'bench', instance: this.#instance, actions, concurrency: 10, unfinished: [] };
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method: METHODS.register, params });
  }

  #onText(text: string): void {
    const { error, result } = JSON.parse(text);
    if (error) return this.#refused(error.message);
    clearTimeout(this.#timer);
    if (!this.#isRegistered) this.#settled(result.heartbeatMs);
    this.#timer = setTimeout(() => this.#beat(), this.#heartbeatMs);
  }

  #settled(heartbeatMs: number): void {
    this.#isRegistered = true;
    this.#heartbeatMs = heartbeatMs;
    this.#backoff.reset();
    this.#options.counts.registered++;
    this.#onRegistered();
  }

  #beat(): void {
    this.#options.counts.beats++;
    this.#socket?.write(HEARTBEAT);
    this.#timer = setTimeout(() => this.#giveUp(), this.#heartbeatMs);
  }

  #giveUp(): void {
    this.#options.counts.unanswered++;
    this.#socket?.destroy();
  }

  #refused(reason: string): void {
    const { refused } = this.#options.counts;
    refused[reason] = (refused[reason] ?? 0) + 1;
    this.#socket?.destroy();
  }

  #onClose(): void {
    clearTimeout(this.#timer);
    if (this.#isRegistered) this.#options.counts.registered--;
    if (this.#isRegistered && !this.#isStopped) this.#options.counts.lost++;
    this.#isOpen = false;
    this.#isRegistered = false;
    if (!this.#isStopped) this.#timer = setTimeout(() => this.#connect(), this.#backoff.nextMs());
  }
}
