/**
 * Adds up searches and calls by session, and by user and day. Written in batches, never on the way of a call.
 *
 * Counts: the node of the caller counts a call, once, and the node that answered a search counts the search. A search is in vain until a call of
 *         one of its actions reached its handler.
 * Errors: sums that the store does not take are kept and added with the next ones. A node that is killed loses those of its last second.
 */
import type { RefusedCall } from '../calls/call-observer';
import { Mutex } from '../lib/mutex';
import { DAY_MS } from '../lib/utc-day';
import type { Search } from '../searches/search';
import type { SearchObserver } from '../searches/searches';
import type { Activity, SessionAddition, SessionSumStore, UserAddition } from '../store/session-store';
import type { InvocationStart, LedgerStore } from '../store/store';

export interface SessionSumsDeps {
  store: Pick<SessionSumStore, 'add'>;
  ledger: Pick<LedgerStore, 'ofCalls'>;
}

type CallerIds = NonNullable<RefusedCall['callerIds']>;

/** The key, session and user of a request, and the time at which it counts. */
interface Whose {
  agentKeyId: string;
  sessionId: string | undefined;
  userId: string | undefined;
  at: number;
}

interface Change extends Partial<Omit<Activity, 'firstAt' | 'lastAt'>> {
  lastCall?: NonNullable<SessionAddition['lastCall']>;
}

/** Sessions and days of users that wait for a write, at about half a kilobyte each. Beyond it, new ones are not counted. */
const MAX_WAITING = 20_000;

export class SessionSums implements SearchObserver {
  readonly #deps: SessionSumsDeps;
  #sessions = new Map<string, SessionAddition>();
  #users = new Map<string, UserAddition>();
  /** Paid calls that ended, by id: the ledger has their costs. */
  #paid = new Map<string, Whose>();
  /** The code of each counted call; undefined while it runs. */
  readonly #calls = new WeakMap<object, string | undefined>();
  readonly #inVain = new WeakSet<Search>();
  /** Two writes at once would both take the costs of the same calls. */
  readonly #storeAccess = new Mutex();

  constructor(deps: SessionSumsDeps) {
    this.#deps = deps;
  }

  searched(search: Search): boolean {
    if (search.sessionId === undefined && search.userId === undefined) return false;
    this.#inVain.add(search);
    this.#add(whoseOf(search), { searches: 1, inVain: 1 });
    return search.shown.size > 0;
  }

  succeeded(search: Search): void {
    this.#led(search);
  }

  failed(search: Search): void {
    this.#led(search);
  }

  ledToCall(search: Search): void {
    this.#led(search);
  }

  /** @param code absent while the call runs; a late result may replace an error */
  called(call: object, record: InvocationStart, { sessionId, userId }: CallerIds, code: string | undefined): void {
    const whose = { agentKeyId: record.agentKeyId, sessionId, userId, at: record.startedAt };
    if (!this.#calls.has(call)) {
      this.#calls.set(call, undefined);
      this.#add(whose, { calls: 1 });
    }
    if (code === undefined) return;
    const errors = errorsOf(code) - errorsOf(this.#calls.get(call));
    this.#calls.set(call, code);
    this.#add(whose, { errors, lastCall: { at: Date.now(), code } });
    if (record.hold && this.#paid.size < MAX_WAITING) this.#paid.set(record.id, whose);
  }

  /** Resolves with whether there was anything to write. Rejects when the store does not take it; the sums are kept. */
  write(): Promise<boolean> {
    return this.#storeAccess.run(() => this.#write());
  }

  async #write(): Promise<boolean> {
    await this.#addCosts();
    if (this.#sessions.size + this.#users.size === 0) return false;
    const [sessions, users] = [this.#sessions, this.#users];
    this.#sessions = new Map();
    this.#users = new Map();
    try {
      await this.#deps.store.add({ sessions: [...sessions.values()], users: [...users.values()] });
    } catch (error) {
      for (const addition of sessions.values()) this.#addToSession(addition);
      for (const addition of users.values()) this.#addToUser(addition);
      throw error;
    }
    return true;
  }

  /** A call whose outcome is unknown still holds its price, which costs nothing. */
  async #addCosts(): Promise<void> {
    if (this.#paid.size === 0) return;
    const paid = new Map(this.#paid);
    const entries = await this.#deps.ledger.ofCalls([...paid.keys()]);
    for (const [id, whose] of paid) {
      this.#paid.delete(id);
      const charged = entries.get(id)?.charged ?? 0n;
      if (charged > 0n) this.#add(whose, { cost: charged });
    }
  }

  #led(search: Search): void {
    if (this.#inVain.delete(search)) this.#add(whoseOf(search), { inVain: -1 });
  }

  #add({ agentKeyId, sessionId, userId, at }: Whose, { lastCall, ...change }: Change): void {
    const lastAt = Math.max(at, lastCall?.at ?? at);
    const activity = { firstAt: at, lastAt, searches: 0, inVain: 0, calls: 0, errors: 0, cost: 0n, ...change };
    if (sessionId !== undefined) {
      this.#addToSession({ agentKeyId, sessionId, userId: userId ?? null, lastCall: lastCall ?? null, ...activity });
    }
    if (userId !== undefined) this.#addToUser({ agentKeyId, userId, day: at - (at % DAY_MS), ...activity });
  }

  #addToSession(addition: SessionAddition): void {
    const name = `${addition.agentKeyId} ${addition.sessionId}`;
    const known = this.#sessions.get(name);
    if (!known) {
      if (this.#sessions.size < MAX_WAITING) this.#sessions.set(name, addition);
      return;
    }
    const lastCall = laterOf(known.lastCall, addition.lastCall);
    this.#sessions.set(name, { ...known, ...summed(known, addition), userId: addition.userId ?? known.userId, lastCall });
  }

  #addToUser(addition: UserAddition): void {
    const name = `${addition.agentKeyId} ${addition.day} ${addition.userId}`;
    const known = this.#users.get(name);
    if (known) this.#users.set(name, { ...known, ...summed(known, addition) });
    else if (this.#users.size < MAX_WAITING) this.#users.set(name, addition);
  }
}

function whoseOf({ keyId, sessionId, userId, at }: Search): Whose {
  return { agentKeyId: keyId, sessionId, userId, at };
}

function errorsOf(code: string | undefined): number {
  return code === undefined || code === 'OK' ? 0 : 1;
}

function laterOf(one: SessionAddition['lastCall'], other: SessionAddition['lastCall']): SessionAddition['lastCall'] {
  if (one === null || other === null) return one ?? other;
  return one.at > other.at ? one : other;
}

function summed(one: Activity, other: Activity): Activity {
  return {
    firstAt: Math.min(one.firstAt, other.firstAt),
    lastAt: Math.max(one.lastAt, other.lastAt),
    searches: one.searches + other.searches,
    inVain: one.inVain + other.inVain,
    calls: one.calls + other.calls,
    errors: one.errors + other.errors,
    cost: one.cost + other.cost,
  };
}
