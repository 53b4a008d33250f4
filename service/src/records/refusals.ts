/**
 * Calls that were refused before they were read: the key is over its rate limit, revoked or expired. Each is counted with the calls that ended.
 * The first of each minute, key and code is in the list of calls, with the count of all.
 *
 * Memory: one entry for each key and code that was refused in this minute.
 */
import { newInvocationId } from '../calls/invocation-id';
import type { InvocationStore } from '../store/store';
import type { CallTallies } from './call-tallies';

/** The action id was not read. */
const NO_ACTION = '';
const MINUTE_MS = 60_000;

export interface RefusalsDeps {
  tallies: Pick<CallTallies, 'count'>;
  store: Pick<InvocationStore, 'refused'>;
  /** The list of calls grew. */
  onListed: () => void;
}

export class Refusals {
  readonly #deps: RefusalsDeps;
  #minute = 0;
  /** Keys and codes of this minute that are in the list. */
  readonly #listed = new Set<string>();

  constructor(deps: RefusalsDeps) {
    this.#deps = deps;
  }

  refused(agentKeyId: string, code: string, at = Date.now()): void {
    this.#deps.tallies.count({ agentKeyId, action: undefined, code, ms: 0, at });
    this.list(agentKeyId, code, at);
  }

  /** Lists a call that is counted already. */
  list(agentKeyId: string, code: string, at = Date.now()): void {
    const minute = at - (at % MINUTE_MS);
    if (minute !== this.#minute) this.#listed.clear();
    this.#minute = minute;
    const listed = `${agentKeyId} ${code}`;
    if (this.#listed.has(listed)) return;
    this.#listed.add(listed);
    const call = { id: newInvocationId(), agentKeyId, idempotencyKey: null, requestHash: '', action: NO_ACTION, startedAt: at };
    this.#deps.store.refused(call, { code, body: null, endedAt: at });
    this.#deps.onListed();
  }
}
