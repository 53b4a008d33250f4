/**
 * Calls that were refused before they were read: the key has used up its calls, was revoked or has expired. Each is counted with the calls that
 * ended; the first of each minute, key and code stands in the list of calls, where how many there were is told beside it.
 *
 * Memory: one entry for each key and code that was refused in this minute.
 */
import { newInvocationId } from '../calls/invocation-id';
import type { InvocationStore } from '../store/store';
import type { CallTallies } from './call-tallies';

/** In place of an action id: nobody read which one was meant. */
const NO_ACTION = '';
const MINUTE_MS = 60_000;

export interface RefusalsDeps {
  tallies: Pick<CallTallies, 'count'>;
  store: Pick<InvocationStore, 'refused'>;
  /** The list of calls has one more. */
  onListed: () => void;
}

export class Refusals {
  readonly #parts: RefusalsDeps;
  #minute = 0;
  /** Of this minute, already in the list. */
  readonly #listed = new Set<string>();

  constructor(deps: RefusalsDeps) {
    this.#parts = deps;
  }

  refused(agentKeyId: string, code: string, at = Date.now()): void {
    this.#parts.tallies.count({ agentKeyId, action: undefined, code, ms: 0, at });
    this.list(agentKeyId, code, at);
  }

  /** For a call that is counted already. */
  list(agentKeyId: string, code: string, at = Date.now()): void {
    const minute = at - (at % MINUTE_MS);
    if (minute !== this.#minute) this.#listed.clear();
    this.#minute = minute;
    const listed = `${agentKeyId} ${code}`;
    if (this.#listed.has(listed)) return;
    this.#listed.add(listed);
    const call = { id: newInvocationId(), agentKeyId, idempotencyKey: null, requestHash: '', action: NO_ACTION, startedAt: at };
    this.#parts.store.refused(call, { code, body: null, endedAt: at });
    this.#parts.onListed();
  }
}
