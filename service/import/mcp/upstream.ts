/**
 * An MCP server that runs on demand: the first call starts it, and idle time ends it. Over HTTP, the same with a session.
 *
 * Units:  milliseconds.
 * Errors: UPSTREAM_UNREACHABLE if it does not start, and at once during the backoff.
 */
import { Backoff } from '#sdk/toolkit/backoff';
import { reasonOf } from '../reason-of';
import type { Redactor } from '../redactor';
import type { McpConfig } from './config';
import { Connection, type ConnectionOptions } from './connection';
import { isForgottenSession } from './forgotten-session';
import { RefusedByServer, UpstreamError } from './upstream-error';

export const DEFAULT_IDLE_MINUTES = 10;
const MS_PER_MINUTE = 60_000;

export type UpstreamOptions = Pick<ConnectionOptions, 'access' | 'startTimeoutMs' | 'log' | 'onMessage' | 'onActions'> & {
  /** Called when it ends after idle time. Undefined: it never ends by itself. */
  onIdle: (() => void) | undefined;
};

export class Upstream {
  readonly #config: McpConfig;
  readonly #options: UpstreamOptions & ConnectionOptions;
  readonly #backoff = new Backoff(Math.random);
  readonly #closing = new AbortController();
  #current: Promise<Connection> | undefined;
  /** The session expired: the server may refuse all requests but `initialize`, also the one for its version. */
  #needsInitialize = false;
  /** The last start failed: the next is not tried before `retryAt`. */
  #failure: { reason: string; retryAt: number } | undefined;
  #running = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(config: McpConfig, options: UpstreamOptions) {
    this.#config = config;
    this.#options = { ...options, onEnd: () => this.#forget() };
  }

  /** Removes the secrets of its requests from texts. */
  get redactor(): Redactor {
    return this.#options.access.redactor;
  }

  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** True with running calls, or with state of earlier calls. */
  get isOpen(): boolean {
    return this.#running > 0 || this.#current !== undefined;
  }

  /** Repeats the work once, on a new connection, only if the server refused the first request because its session had expired. */
  async use<Result>(run: (connection: Connection) => Promise<Result>): Promise<Result> {
    this.#running++;
    clearTimeout(this.#idleTimer);
    try {
      const connection = await this.#open();
      try {
        return await run(connection);
      } catch (error) {
        if (!(await isForgottenSession(error, connection))) throw error;
        await this.#replace(connection);
        return await run(await this.#open());
      }
    } finally {
      this.#running--;
      this.#endWhenIdle();
    }
  }

  /** Running calls fail with UPSTREAM_LOST. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#closing.abort();
    this.#end();
    await this.#ended;
  }

  #open(): Promise<Connection> {
    if (this.#current) return this.#current;
    const opening = this.#connect();
    this.#current = opening;
    opening.catch(() => {
      if (this.#current === opening) this.#forget();
    });
    return opening;
  }

  async #connect(): Promise<Connection> {
    if (this.#closing.signal.aborted) throw new UpstreamError('UPSTREAM_UNREACHABLE', 'The toolkit of the MCP server stops');
    const waitMs = this.#failure ? this.#failure.retryAt - performance.now() : 0;
    if (this.#failure && waitMs > 0)
      throw new UpstreamError('UPSTREAM_UNREACHABLE', this.#failure.reason, { retryable: true, retryAfterMs: Math.ceil(waitMs) });
    try {
      const connection = await Connection.open(this.#config, this.#options, {
        signal: this.#closing.signal,
        initialize: this.#needsInitialize,
      });
      this.#backoff.reset();
      return connection;
    } catch (error) {
      this.#needsInitialize = false;
      // The next call may have another token.
      if (error instanceof RefusedByServer && this.#options.access.credential) throw error;
      this.#failure = { reason: reasonOf(error), retryAt: performance.now() + this.#backoff.nextMs() };
      throw error;
    }
  }

  #forget(): void {
    this.#current = undefined;
  }

  /** Concurrent calls get the same refusal: one of them replaces the connection. */
  async #replace(connection: Connection): Promise<void> {
    if ((await this.#current) !== connection) return;
    this.#needsInitialize = connection.hasSession;
    this.#end();
  }

  #endWhenIdle(): void {
    const { onIdle } = this.#options;
    if (this.#running > 0 || !onIdle) return;
    const { idleMinutes = DEFAULT_IDLE_MINUTES } = this.#config;
    this.#idleTimer = setTimeout(() => {
      this.#end();
      onIdle();
    }, idleMinutes * MS_PER_MINUTE).unref();
  }

  #end(): void {
    const closed = this.#current?.then(
      (connection) => connection.close(),
      () => {},
    );
    this.#forget();
    this.#ended = Promise.all([this.#ended, closed]);
  }
}
