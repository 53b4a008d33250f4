/**
 * Keeps a connection to the service: reconnects after every loss, and moves to another node when the service asks.
 *
 * Shape:  one connection is in use at a time. `closed` is called for this connection only; the listener decides whether `retryLater`
 *         follows.
 * Errors: only `load` rejects, without a WebSocket implementation.
 * Source: docs/protocol.md section 6, "Close codes" and "Moving".
 */
import type { WebSocket as Socket } from 'ws';
import type { SvcError } from '../protocol/errors';
import type { ReconnectParams } from '../protocol/frames';
import { Backoff } from './backoff';
import type { Fault } from './fault';
import { loadSocket } from './load-socket';
import { Move } from './move';
import { ServiceConnection, type ServiceConnectionListener } from './service-connection';

export interface ServiceLinkOptions {
  url: string;
  apiKey: string;
  random?: () => number;
  openMs?: number;
}

export interface ServiceLinkListener extends Pick<ServiceConnectionListener, 'invoke' | 'cancel' | 'warning'> {
  /** A connection is being opened while none is in use. */
  connecting(): void;
  /** The connection in use is replaced by a connection that is open already. */
  leaving(): void;
  opened(): void;
  closed(fault: Fault): void;
}

const OPEN_MS = 20_000;

export class ServiceLink {
  readonly #options: ServiceLinkOptions;
  readonly #listener: ServiceLinkListener;
  readonly #backoff: Backoff;
  readonly #move: Move;
  #Socket: typeof Socket | undefined;
  #connection: ServiceConnection | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #moves = true;

  constructor(options: ServiceLinkOptions, listener: ServiceLinkListener) {
    const { random = Math.random } = options;
    this.#options = options;
    this.#listener = listener;
    this.#backoff = new Backoff(random);
    this.#move = new Move(() => this.#open(), random);
  }

  /** The connection in use, which may still be opening. */
  get connection(): ServiceConnection | undefined {
    return this.#connection;
  }

  async load(): Promise<void> {
    this.#Socket = await loadSocket();
  }

  connect(): void {
    this.#listener.connecting();
    this.#connection = this.#open();
  }

  /** Call this when the connection is registered. */
  settled(): void {
    this.#backoff.reset();
    this.#connection?.settled();
  }

  /** Schedules a reconnect. Returns the delay in milliseconds. */
  retryLater({ retryAfterMs }: SvcError): number {
    const retryInMs = this.#backoff.nextMs(retryAfterMs);
    this.#retryTimer = setTimeout(() => this.connect(), retryInMs);
    return retryInMs;
  }

  /** Ignores later requests to move: another node would send new invocations. */
  stopMoving(): void {
    this.#moves = false;
    this.#move.cancel();
  }

  /** Closes the link for good. Returns true if a connection is still closing. */
  close(): boolean {
    clearTimeout(this.#retryTimer);
    this.stopMoving();
    this.#connection?.close();
    return this.#connection !== undefined;
  }

  #open(): ServiceConnection {
    const { url, apiKey, openMs = OPEN_MS } = this.#options;
    const connection: ServiceConnection = new ServiceConnection(
      { Socket: this.#Socket as typeof Socket, url, apiKey, openMs },
      {
        opened: () => this.#onOpened(connection),
        invoke: (id, params) => this.#listener.invoke(id, params),
        cancel: (params) => this.#listener.cancel(params),
        warning: (params) => this.#listener.warning(params),
        reconnect: (params) => this.#onReconnect(params),
        closed: (fault) => this.#onClosed(connection, fault),
      },
    );
    return connection;
  }

  #onReconnect(params: unknown): void {
    const { withinMs } = (params ?? {}) as Partial<ReconnectParams>;
    if (this.#moves && typeof withinMs === 'number' && withinMs >= 0) this.#move.begin(withinMs);
  }

  /**
   * The former connection is retired before `register` is sent on the new connection. Otherwise an invocation that arrives in between would
   * be missing in the registration, and the service would send it to another process.
   */
  #onOpened(connection: ServiceConnection): void {
    if (connection !== this.#connection) {
      this.#move.arrived();
      this.#listener.leaving();
      this.#connection?.retire();
      this.#connection = connection;
    }
    this.#listener.opened();
  }

  #onClosed(connection: ServiceConnection, fault: Fault): void {
    if (connection !== this.#connection) return this.#move.closed(connection, fault.error);
    this.#move.cancel();
    this.#connection = undefined;
    this.#listener.closed(fault);
  }
}
