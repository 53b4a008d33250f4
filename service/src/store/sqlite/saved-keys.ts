/**
 * The idempotency keys that the database may hold. Most calls have a fresh key and need no look-up in an index that may not fit in memory.
 *
 * Shape:  a Bloom filter of 8 MB, which the system allocates page by page. At 8 million keys, one of forty fresh keys is a false positive.
 * Source: B. H. Bloom, Space/time trade-offs in hash coding with allowable errors, 1970; positions from two hashes: Kirsch and Mitzenmacher, 2006.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { idempotencyScope } from '../idempotency-scope';

const BYTES = 8 * 1024 * 1024;
const LAST_BIT = BYTES * 8 - 1;
const POSITIONS = 4;
/** Above this number the filter is rebuilt, without the keys that the database has removed. */
const MAX_KEYS = BYTES;
/** Keys that one event-loop turn adds while the filter is built: some hundred microseconds. */
export const KEYS_PER_PAGE = 200;

export type KeyPair = [agentKeyId: string, idempotencyKey: string];

interface Filter {
  bits: Uint8Array;
  added: number;
}

export class SavedKeys {
  readonly #keysAfter: (last: KeyPair) => KeyPair[];
  readonly #onError: (error: unknown) => void;
  /** Undefined until it contains every key of the database. */
  #complete: Filter | undefined;
  #loading: Filter | undefined;
  #closed = false;

  /** @param keysAfter reads the next `KEYS_PER_PAGE` keys of the database in order */
  constructor(keysAfter: (last: KeyPair) => KeyPair[], onError: (error: unknown) => void) {
    this.#keysAfter = keysAfter;
    this.#onError = onError;
    this.#load();
  }

  /** False: the database does not hold the key. True: it may. */
  mayHold(scope: string): boolean {
    return this.#complete === undefined || has(this.#complete, hashOf(scope));
  }

  /** Must be called before the key is saved. */
  add(scope: string): void {
    const hash = hashOf(scope);
    if (this.#complete) put(this.#complete, hash);
    if (this.#loading) put(this.#loading, hash);
  }

  /** Rebuilds a full filter. Must not run while an added key is not saved yet: the new filter would miss it. */
  renewIfFull(): void {
    if (!this.#loading && this.#complete && this.#complete.added > MAX_KEYS) this.#load();
  }

  close(): void {
    this.#closed = true;
  }

  #load(): void {
    const filter = { bits: new Uint8Array(BYTES), added: 0 };
    this.#loading = filter;
    // Every key is looked up while there is no filter, which is slower but correct.
    this.#read(filter).catch(this.#onError);
  }

  async #read(filter: Filter): Promise<void> {
    for (let last: KeyPair = ['', '']; !this.#closed; await setImmediate()) {
      const page = this.#keysAfter(last);
      for (const pair of page) put(filter, hashOf(idempotencyScope(...pair)));
      if (page.length < KEYS_PER_PAGE) {
        this.#complete = filter;
        this.#loading = undefined;
        return;
      }
      last = page.at(-1) ?? last;
    }
  }
}

/** The index covers this query. */
const KEYS_AFTER = `
  SELECT agent_key_id AS agent, idempotency_key AS key FROM invocations
  WHERE idempotency_key IS NOT NULL AND (agent_key_id, idempotency_key) > (?, ?)
  ORDER BY agent_key_id, idempotency_key LIMIT ${KEYS_PER_PAGE}`;

/** The page of idempotency keys after `last`. */
export function keysAfter(database: DatabaseSync, last: KeyPair): KeyPair[] {
  const rows = database.prepare(KEYS_AFTER).all(...last) as { agent: string; key: string }[];
  return rows.map(({ agent, key }) => [agent, key]);
}

function put(filter: Filter, hash: number): void {
  filter.added++;
  const step = stepOf(hash);
  for (let count = 0, at = hash; count < POSITIONS; count++, at += step) {
    const bit = at & LAST_BIT;
    filter.bits[bit >>> 3] = (filter.bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }
}

function has({ bits }: Filter, hash: number): boolean {
  const step = stepOf(hash);
  for (let count = 0, at = hash; count < POSITIONS; count++, at += step) {
    const bit = at & LAST_BIT;
    if (((bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** FNV-1a, 32 bits. A caller that crafts collisions only makes its own calls as slow as without the filter. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Odd, and 31 bits, so that four steps are exact integers. */
function stepOf(hash: number): number {
  return (Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 1) | 1;
}
