/**
 * `GET /v1/events`: changes as server-sent events, at most one a second; a comment every 15 s keeps the connection alive. The session is checked
 * again before each event, so a stream ends with its session.
 */
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { ADMIN_PATHS, type ChangeEvent } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import type { Principal } from '../../accounts/principal';
import { KeyedCounts } from '../../lib/keyed-counts';
import { toSvcError } from '../../lib/problem';
import type { Changed } from '../../records/records';
import type { AdminDeps, AppDeps } from '../app-deps';
import { principalOf } from './authorize';

const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 20;
const OWNERS_ONLY: ReadonlySet<Changed> = new Set(['people', 'settings']);

type EventStreamDeps = Pick<AppDeps, 'keys' | 'admin' | 'logger'> & Pick<AdminDeps, 'records' | 'stopping'>;

export class EventStreams {
  readonly #deps: EventStreamDeps;
  /** Principal -> its open streams. */
  readonly #open = new KeyedCounts();

  constructor(deps: EventStreamDeps) {
    this.#deps = deps;
  }

  open(context: Context, principal: Principal): Response {
    const release = this.#reserve(principal);
    const answer = streamSSE(context, async (stream) => {
      try {
        await this.#send(stream, context.req.raw, principal);
      } catch (error) {
        // A store error aborts the stream, so that the client reconnects. A signed-out client reconnects too, and is refused.
        if (toSvcError(error, this.#deps.logger, ADMIN_PATHS.events).code === 'INTERNAL') stream.abort();
      } finally {
        release();
      }
    });
    answer.headers.set('cache-control', 'no-store');
    // nginx would buffer events before it passes them on.
    answer.headers.set('x-accel-buffering', 'no');
    return answer;
  }

  /** Counts one more stream of a principal. Returns the function that releases it. Throws RATE_LIMITED. */
  #reserve({ kind, id }: Principal): () => void {
    const name = `${kind} ${id}`;
    const count = this.#open.of(name);
    if (count >= MAX_STREAMS) {
      const message = `${count} streams of events are open already: close one, such as another window of the console`;
      throw new SvcError('RATE_LIMITED', message, { retryAfterMs: HEARTBEAT_MS });
    }
    this.#open.increment(name);
    return () => this.#open.decrement(name);
  }

  async #send(stream: SSEStreamingApi, request: Request, first: Principal): Promise<void> {
    const { records, stopping } = this.#deps;
    const changes = new ChangeQueue();
    const stop = records.onChange((changed) => changes.add(changed));
    const end = () => changes.end();
    stopping.addEventListener('abort', end);
    if (stopping.aborted) end();
    stream.onAbort(end);
    try {
      // The headers go out with the first byte.
      await stream.write(': open\n\n');
      for await (const queued of changes) {
        const { kind, id, role } = await principalOf(request, this.#deps);
        if (kind !== first.kind || id !== first.id) return;
        const changed = queued.filter((subject) => role === 'owner' || !OWNERS_ONLY.has(subject));
        if (changed.length > 0) await stream.writeSSE({ event: 'change', data: JSON.stringify({ changed } satisfies ChangeEvent) });
        else await stream.write(': still here\n\n');
      }
    } finally {
      stop();
      stopping.removeEventListener('abort', end);
    }
  }
}

/** Yields the changes since the previous event, or an empty list as a heartbeat after 15 s without changes. */
class ChangeQueue {
  readonly #changed = new Set<Changed>();
  #ended = false;
  #wake = () => {};

  add(changed: readonly Changed[]): void {
    for (const subject of changed) this.#changed.add(subject);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Changed[]> {
    while (!this.#ended) {
      if (this.#changed.size === 0) await this.#changeOrHeartbeat();
      if (this.#ended) return;
      const changed = [...this.#changed];
      this.#changed.clear();
      yield changed;
    }
  }

  #changeOrHeartbeat(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, HEARTBEAT_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
