/**
 * Which idempotency keys the database may hold: most calls come with a fresh one, and need no look into an index that may not fit in memory.
 *
 * Shape:  a Bloom filter of 8 MB, which the system gives out as it is used; of 8 million keys one fresh one in forty is looked up in vain.
 * Source: B. H. Bloom, Space/time trade-offs in hash coding with allowable errors, 1970; its positions from two hashes, Kirsch and Mitzenmacher, 2006.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { idempotencyScope } from '../idempotency-scope';

const BYTES = 8 * 1024 * 1024;
const LAST_BIT = BYTES * 8 - 1;
const POSITIONS = 4;
/** More fill it too much: it is made anew, without what the database has forgotten by then. */
const MAX_KEYS = BYTES;
/** In an event-loop turn: some hundred microseconds. */
export const KEYS_PER_PAGE = 200;

/** Agent key id and idempotency key. */
export type KeyPair = [agentKeyId: string, idempotencyKey: string];

interface Filter {
  bits: Uint8Array;
  added: number;
}

export class SavedKeys {
  readonly #keysAfter: (last: KeyPair) => KeyPair[];
  readonly #onError: (error: unknown) => void;
  /** Undefined until everything is in it that was in the database before. */
  #complete: Filter | undefined;
  #loading: Filter | undefined;
  #closed = false;

  /** @param keysAfter the next `KEYS_PER_PAGE` of the database, in their order */
  constructor(keysAfter: (last: KeyPair) => KeyPair[], onError: (error: unknown) => void) {
    this.#keysAfter = keysAfter;
    this.#onError = onError;
    this.#load();
  }

  /** False only for a key that the database does not hold. */
  mayHold(scope: string): boolean {
    return this.#complete === undefined || has(this.#complete, hashOf(scope));
  }

  /** Call it before the database has the key. */
  add(scope: string): void {
    const hash = hashOf(scope);
    if (this.#complete) put(this.#complete, hash);
    if (this.#loading) put(this.#loading, hash);
  }

  /** Makes it anew when it is full. Not while a key that was added is still on its way into the database: it would be in neither. */
  renewIfFull(): void {
    if (!this.#loading && this.#complete && this.#complete.added > MAX_KEYS) this.#load();
  }

  close(): void {
    this.#closed = true;
  }

  #load(): void {
    const filter = { bits: new Uint8Array(BYTES), added: 0 };
    this.#loading = filter;
    // Without it every key is looked up, which is as right.
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

/** From the index alone. */
const KEYS_AFTER = `
  SELECT agent_key_id AS agent, idempotency_key AS key FROM invocations
  WHERE idempotency_key IS NOT NULL AND (agent_key_id, idempotency_key) > (?, ?)
  ORDER BY agent_key_id, idempotency_key LIMIT ${KEYS_PER_PAGE}`;

/** The page after `last` of all idempotency keys, as of now. */
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

/** FNV-1a, 32 bits. Whoever makes keys that meet others there makes his own calls slower, as slow as without the filter. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Odd, and 31 bits: four steps stay exact. */
function stepOf(hash: number): number {
  return (Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 1) | 1;
}
