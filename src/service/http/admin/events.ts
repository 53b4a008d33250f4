/**
 * `GET /v1/events`: that something changed, as server-sent events, at most once a second; a comment every 15 s keeps the connection alive. Whoever
 * is signed out hears nothing more: who asks is asked again before each event.
 */
import { Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { ADMIN_PATHS, type ChangeEvent } from '../../../protocol/admin';
import { SvcError } from '../../../protocol/errors';
import type { Principal } from '../../accounts/principal';
import type { Changed } from '../../records/records';
import type { AdminDeps, AppDeps } from '../app-deps';
import { toSvcError } from '../problem';
import { type AdminEnv, principalOf, signedIn } from './admin-env';

const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 20;
/** What only owners may look at. */
const OWNERS_ONLY: ReadonlySet<Changed> = new Set(['people', 'settings']);

export function eventsRoute(deps: AppDeps, { records, stopping }: AdminDeps): Hono<AdminEnv> {
  const { logger } = deps;
  /** Principal -> its streams. */
  const open = new Map<string, number>();

  /** Adds to the number of streams of a principal; returns the function that takes it back. */
  const take = ({ kind, id }: Principal): (() => void) => {
    const who = `${kind} ${id}`;
    const count = open.get(who) ?? 0;
    if (count >= MAX_STREAMS) {
      const message = `${count} streams of events are open already: close one, such as another window of the console`;
      throw new SvcError('RATE_LIMITED', message, { retryAfterMs: HEARTBEAT_MS });
    }
    open.set(who, count + 1);
    return () => {
      const left = (open.get(who) ?? 1) - 1;
      if (left === 0) open.delete(who);
      else open.set(who, left);
    };
  };

  const tell = async (stream: SSEStreamingApi, request: Request, first: Principal): Promise<void> => {
    const changes = new Changes();
    const stop = records.onChange((changed) => changes.add(changed));
    const end = () => changes.end();
    stopping.addEventListener('abort', end);
    if (stopping.aborted) end();
    stream.onAbort(end);
    try {
      // The headers go out with the first byte.
      await stream.write(': open\n\n');
      for await (const changed of changes) {
        const { kind, id, role } = await principalOf(request, deps);
        if (kind !== first.kind || id !== first.id) return;
        const told = changed.filter((what) => role === 'owner' || !OWNERS_ONLY.has(what));
        if (told.length > 0) await stream.writeSSE({ event: 'change', data: JSON.stringify({ changed: told } satisfies ChangeEvent) });
        else await stream.write(': still here\n\n');
      }
    } finally {
      stop();
      stopping.removeEventListener('abort', end);
    }
  };

  return new Hono<AdminEnv>().get(ADMIN_PATHS.events, signedIn(deps), (context) => {
    const principal = context.get('principal');
    const release = take(principal);
    const answer = streamSSE(context, async (stream) => {
      try {
        await tell(stream, context.req.raw, principal);
      } catch (error) {
        // Signed out, or the store cannot say: the client asks again and is told which.
        if (toSvcError(error, logger, ADMIN_PATHS.events).code === 'INTERNAL') stream.abort();
      } finally {
        release();
      }
    });
    answer.headers.set('cache-control', 'no-store');
    // nginx would gather events before it passes them on.
    answer.headers.set('x-accel-buffering', 'no');
    return answer;
  });
}

/** What changed since the last look; nothing, when that was too long ago to be silent any longer. */
class Changes {
  readonly #changed = new Set<Changed>();
  #ended = false;
  #wake = () => {};

  add(changed: readonly Changed[]): void {
    for (const what of changed) this.#changed.add(what);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Changed[]> {
    while (!this.#ended) {
      if (this.#changed.size === 0) await this.#news();
      if (this.#ended) return;
      const changed = [...this.#changed];
      this.#changed.clear();
      yield changed;
    }
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, HEARTBEAT_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
