/**
 * The timeline and the content of each call, written by the node that its caller came to, once when it has ended; of a call that runs for longer,
 * also while it runs, so that people can see where it is and a killed node leaves that behind.
 *
 * Content: what the settings allowed when the call began and allow when it is written. Off means that it is not even looked at.
 */
import type { Settings } from '../../protocol/admin';
import { withoutBytes } from '../../protocol/content';
import type { InvokeResponse } from '../../protocol/http';
import type { RefusedCall } from '../calls/call-observer';
import type { Ended, PendingCall } from '../calls/pending-call';
import { Timeline } from '../calls/timeline';
import type { InvocationStore } from '../store/store';
import { type ContentRules, keepContent, mayKeep, stricterOf } from './content';

export interface DetailsKeeperDeps {
  node: string;
  store: Pick<InvocationStore, 'keepDetails'>;
  settings: () => Readonly<Settings>;
  /** A call has begun or ended. */
  onCall: () => void;
}

/** A call that has run for so long is written before it has ended. */
const LONG_MS = 1_000;
/** In one round. */
const MAX_INTERIM = 500;

export class DetailsKeeper {
  readonly #parts: DetailsKeeperDeps;
  /** Oldest first. */
  readonly #running = new Map<PendingCall, KeptCall>();
  /** Calls that ended with an error: a late result may replace it. */
  readonly #failed = new WeakMap<PendingCall, KeptCall>();

  constructor(deps: DetailsKeeperDeps) {
    this.#parts = deps;
  }

  started(call: PendingCall): void {
    this.#running.set(call, new KeptCall(call, this.#parts));
    this.#parts.onCall();
  }

  ended(call: PendingCall, ended: Ended): void {
    const kept = this.#running.get(call) ?? this.#failed.get(call);
    kept?.ended(ended);
    this.#running.delete(call);
    if (kept && 'error' in ended) this.#failed.set(call, kept);
    this.#parts.onCall();
  }

  refused({ id, payload, error }: RefusedCall): void {
    const { node, store, settings, onCall } = this.#parts;
    const timeline = new Timeline(node);
    timeline.add('ended', error.code);
    store.keepDetails({
      id,
      timeline: JSON.stringify(timeline.entries),
      ...contentOf(settings(), { payload: () => JSON.stringify(payload), ended: { error } }),
    });
    onCall();
  }

  /** Those that run for long, and of which something is new. Returns whether there were any. */
  writeLong(): boolean {
    let written = 0;
    for (const kept of this.#running.values()) {
      if (kept.ageMs < LONG_MS || written === MAX_INTERIM) break;
      if (kept.writeIfNew()) written++;
    }
    return written > 0;
  }

  /** All that run: what becomes of them another node will know, or nobody. */
  writeAll(): void {
    for (const kept of this.#running.values()) kept.writeIfNew();
  }
}

class KeptCall {
  readonly #call: PendingCall;
  readonly #parts: DetailsKeeperDeps;
  readonly #rules: ContentRules;
  #entries = 0;

  constructor(call: PendingCall, deps: DetailsKeeperDeps) {
    this.#call = call;
    this.#parts = deps;
    this.#rules = deps.settings();
  }

  get ageMs(): number {
    return this.#call.timeline?.ageMs ?? 0;
  }

  ended(ended: Ended): void {
    this.#call.timeline?.add('ended', 'error' in ended ? ended.error.code : 'OK');
    this.#write(ended);
  }

  writeIfNew(): boolean {
    return this.#call.timeline?.entries.length !== this.#entries && this.#write(undefined);
  }

  /** A call that is not in the books has no details: it is answered with the outcome of an earlier one. */
  #write(ended: Ended | undefined): boolean {
    const { timeline, record, invocation } = this.#call;
    if (!timeline || timeline.bookedAs !== record.id) return false;
    this.#entries = timeline.entries.length;
    const rules = stricterOf(this.#rules, this.#parts.settings());
    const content = contentOf(rules, { payload: () => invocation.request.payloadJson ?? undefined, ended });
    this.#parts.store.keepDetails({ id: record.id, timeline: JSON.stringify(timeline.entries), ...content });
    return true;
  }
}

/** `payload` is asked for only where it may be kept. */
function contentOf(
  rules: ContentRules,
  { payload, ended }: { payload: () => string | undefined; ended: Ended | undefined },
): { payload: string | null; result: string | null } {
  const failed = ended !== undefined && 'error' in ended;
  if (!mayKeep(rules, failed)) return { payload: null, result: null };
  const sent = payload();
  return { payload: sent === undefined ? null : keepContent(sent, rules), result: ended ? keepContent(answerOf(ended), rules) : null };
}

/** The result alone, or with what is beside it, whose images and files are told of and not kept; or the error as the caller was told it. */
function answerOf(ended: Ended): string {
  if ('error' in ended) return JSON.stringify(ended.error);
  const { result, content } = JSON.parse(ended.responseJson) as InvokeResponse;
  return JSON.stringify(content ? { result, content: content.map(withoutBytes) } : result);
}
