/**
 * Stores the timeline and the content of each call of this node's callers: once when it has ended, and every second while it runs for long, so
 * that people see its state and a killed node leaves it behind.
 *
 * Content: only what the settings allow both when the call began and when it is stored. Otherwise it is not even read.
 */
import type { Settings } from '#sdk/protocol/admin';
import { parseExactJson } from '#sdk/protocol/exact-number';
import type { InvokeResponse } from '#sdk/protocol/http';
import type { RefusedCall } from '../calls/call-observer';
import type { Ended } from '../calls/call-state';
import type { PendingCall } from '../calls/pending-call';
import { Timeline } from '../calls/timeline';
import { ChurnMap } from '../lib/churn-map';
import type { SessionSums } from '../sessions/session-sums';
import type { InvocationStore } from '../store/store';
import { type ContentRules, keepContent, mayKeep, stricterOf } from './content';
import type { SessionLog } from './session-log';
import { smallBlocks } from './small-blocks';

export interface DetailsKeeperDeps {
  node: string;
  store: Pick<InvocationStore, 'keepDetails'>;
  sessions: Pick<SessionLog, 'called'>;
  sums: Pick<SessionSums, 'called'>;
  settings: () => Readonly<Settings>;
  /** A call has begun or ended. */
  onCall: () => void;
}

/** A call that has run for so long is stored before its end. */
const LONG_MS = 1_000;
/** Calls in one round. */
const MAX_INTERIM = 500;

export class DetailsKeeper {
  readonly #deps: DetailsKeeperDeps;
  /** The settings when each call began. Oldest call first. */
  readonly #running = new ChurnMap<PendingCall, ContentRules>();
  /** Calls that ended with an error: a late result may replace it. */
  readonly #failed = new WeakMap<PendingCall, ContentRules>();
  /** How much of the timeline of a long call is stored. */
  readonly #storedEntries = new WeakMap<PendingCall, number>();

  constructor(deps: DetailsKeeperDeps) {
    this.#deps = deps;
  }

  started(call: PendingCall): void {
    this.#running.set(call, this.#deps.settings());
    this.#deps.onCall();
  }

  ended(call: PendingCall, ended: Ended): void {
    const rules = this.#running.get(call) ?? this.#failed.get(call);
    if (rules === undefined) return;
    this.#running.delete(call);
    if ('error' in ended) this.#failed.set(call, rules);
    call.timeline?.add('ended', 'error' in ended ? ended.error.code : 'OK');
    this.#storeCall(call, rules, ended);
    this.#deps.onCall();
  }

  refused({ record, startedAt, payload, error, callerIds, searchId }: RefusedCall): void {
    const { node, sessions, sums, settings, onCall } = this.#deps;
    const timeline = new Timeline(node, startedAt);
    timeline.add('ended', error.code);
    const rules = settings();
    const payloadJson = mayKeep(rules, true) ? (JSON.stringify(payload) ?? null) : null;
    this.#store(record.id, timeline, rules, payloadJson, { error });
    if (callerIds) {
      sessions.called(record, callerIds, searchId);
      sums.called(record, record, callerIds, error.code);
    }
    onCall();
  }

  /** Stores long calls with new entries in their timeline. Returns whether there were any. */
  writeLong(): boolean {
    let written = 0;
    for (const [call, rules] of this.#running) {
      if ((call.timeline?.ageMs ?? 0) < LONG_MS || written === MAX_INTERIM) break;
      if (this.#storeNewEntries(call, rules)) written++;
    }
    return written > 0;
  }

  /** Stores all running calls. This node will not know how they end. */
  writeAll(): void {
    for (const [call, rules] of this.#running) this.#storeNewEntries(call, rules);
  }

  #storeNewEntries(call: PendingCall, rules: ContentRules): boolean {
    const entries = call.timeline?.length;
    if (entries === undefined || entries === this.#storedEntries.get(call) || !this.#storeCall(call, rules, undefined)) return false;
    this.#storedEntries.set(call, entries);
    return true;
  }

  /** Returns false for a call without a record of its own: it got the outcome of an earlier one. */
  #storeCall(call: PendingCall, rules: ContentRules, ended: Ended | undefined): boolean {
    const { timeline, record, payloadJson, origin } = call;
    if (timeline?.recordId !== record.id) return false;
    this.#store(record.id, timeline, stricterOf(rules, this.#deps.settings()), payloadJson, ended);
    if (origin.callerIds) {
      this.#deps.sessions.called(record, origin.callerIds, origin.searchId);
      this.#deps.sums.called(call, record, origin.callerIds, ended && codeOf(ended));
    }
    return true;
  }

  #store(id: string, { json }: Timeline, rules: ContentRules, payloadJson: string | null, ended: Ended | undefined): void {
    const isKept = mayKeep(rules, ended !== undefined && 'error' in ended);
    const payload = isKept && payloadJson !== null ? keepContent(payloadJson, rules) : null;
    const result = isKept && ended ? keepContent(answerOf(ended, rules), rules) : null;
    this.#deps.store.keepDetails({ id, timeline: json, payload, result });
  }
}

function codeOf(ended: Ended): string {
  return 'error' in ended ? ended.error.code : 'OK';
}

/** The result alone, or with its content. Of a failed call, the error as the caller got it. */
function answerOf(ended: Ended, { contentBytes }: ContentRules): string {
  if ('error' in ended) return JSON.stringify(ended.error);
  const { result, content } = parseExactJson(ended.responseJson) as InvokeResponse;
  if (!content) return JSON.stringify(result);
  return JSON.stringify({ result, content: smallBlocks(content, contentBytes - Buffer.byteLength(JSON.stringify(result ?? null))) });
}
