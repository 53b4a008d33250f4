/**
 * Which idempotency keys the database may hold: most calls come with a fresh one, and need no look into an index that may not fit in memory.
 *
 * Shape:  a Bloom filter of 8 MB, which the system gives out as it is used; of 8 million keys one fresh one in forty is looked up in vain.
 * Source: B. H. Bloom, Space/time trade-offs in hash coding with allowable errors, 1970; its positions from two hashes, Kirsch and Mitzenmacher, 2006.
 */
import { setImmediate } from 'node:timers/promises';

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
  mayHold(holder: string): boolean {
    return this.#complete === undefined || has(this.#complete, hashOf(holder));
  }

  /** Call it before the database has the key. */
  add(holder: string): void {
    const hash = hashOf(holder);
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
      for (const pair of page) put(filter, hashOf(holderText(...pair)));
      if (page.length < KEYS_PER_PAGE) {
        this.#complete = filter;
        this.#loading = undefined;
        return;
      }
      last = page.at(-1) ?? last;
    }
  }
}

/** The name of a key among those of all agents. */
export function holderText(agentKeyId: string, idempotencyKey: string): string {
  return `${agentKeyId} ${idempotencyKey}`;
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
