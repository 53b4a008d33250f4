/**
 * The keys that this process has seen: a bounded memory by hash, so that a call asks the store once per key; and the keys that are held, such as by a
 * toolkit's socket, which stay known until they are released.
 *
 * Notifies once when a key that was seen stops being valid: its secret was revoked or replaced, or its time is over.
 */
import type { KeyRecord } from '../store/store';

export type KeyEnd = 'KEY_REVOKED' | 'KEY_EXPIRED';

/** Each takes about half a kilobyte. */
const MAX_REMEMBERED = 10_000;
/** The longest that a timer of Node can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface HeldKey {
  key: KeyRecord;
  holders: number;
}

export class KnownKeys {
  readonly #remembered = new Map<string, KeyRecord>();
  /** Keys by id: a rotated key may have two, until the end of its old secret is reported. */
  readonly #held = new Map<string, HeldKey[]>();
  /** Timers of keys that will expire, by hash. They go on when a key is no longer remembered: its calls may still run. */
  readonly #expiries = new Map<string, NodeJS.Timeout>();
  readonly #onEnd: (keyId: string, end: KeyEnd) => void;

  constructor(onEnd: (keyId: string, end: KeyEnd) => void) {
    this.#onEnd = onEnd;
  }

  get(hash: string): KeyRecord | undefined {
    return this.#remembered.get(hash);
  }

  remember(key: KeyRecord): void {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.delete(this.#remembered.keys().next().value ?? '');
    this.#remembered.set(key.hash, key);
    this.#watchExpiry(key);
    this.#endFormerSecret(key);
  }

  /** Returns the release function. */
  hold(key: KeyRecord): () => void {
    const held = this.#heldOf(key.id).find((it) => it.key.hash === key.hash) ?? this.#begin(key);
    held.holders++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      if (--held.holders === 0) this.#remove(held);
    };
  }

  /** The hashes of all that is known, or of what is known of one key. */
  hashes(id?: string): string[] {
    const known = [...this.#remembered.values(), ...[...this.#held.values()].flat().map(({ key }) => key)];
    return [...new Set(known.filter((key) => id === undefined || key.id === id).map(({ hash }) => hash))];
  }

  /** Compares what was known when the store was asked for it (`hashes`) with what the store has now. */
  refresh(hashes: readonly string[], found: readonly KeyRecord[]): void {
    const asked = new Set(hashes);
    const current = new Map(found.map((key) => [key.hash, key]));
    const ended = new Set<string>();
    for (const key of this.#remembered.values()) {
      if (!asked.has(key.hash)) continue;
      const now = current.get(key.hash);
      if (isGood(key) && !isGood(now)) ended.add(key.id);
      if (!isGood(now)) this.#forgetExpiry(key.hash);
      if (now) this.#remembered.set(key.hash, now);
      else this.#remembered.delete(key.hash);
    }
    for (const held of [...this.#held.values()].flat()) {
      if (!asked.has(held.key.hash)) continue;
      const now = current.get(held.key.hash);
      if (isGood(held.key) && !isGood(now)) ended.add(held.key.id);
      if (now) held.key = now;
      else this.#remove(held);
    }
    for (const id of ended) this.#onEnd(id, 'KEY_REVOKED');
  }

  /**
   * Another process has replaced the secret of a held key and its new one is here before `refresh` was: the end of the old one must be reported
   * before the new one is used, or it would count as the end of both.
   */
  #endFormerSecret({ id, hash }: KeyRecord): void {
    for (const held of this.#heldOf(id)) {
      if (held.key.hash === hash) continue;
      this.#remembered.delete(held.key.hash);
      this.#remove(held);
      this.#onEnd(id, 'KEY_REVOKED');
    }
  }

  #heldOf(keyId: string): readonly HeldKey[] {
    return this.#held.get(keyId) ?? [];
  }

  #begin(key: KeyRecord): HeldKey {
    const held: HeldKey = { key, holders: 0 };
    this.#held.set(key.id, [...this.#heldOf(key.id), held]);
    return held;
  }

  #watchExpiry(key: Pick<KeyRecord, 'id' | 'hash' | 'expiresAt'>): void {
    const { id, hash, expiresAt } = key;
    const leftMs = (expiresAt ?? 0) - Date.now();
    // An expired key is refused, and its end was reported if it was in use.
    if (expiresAt === null || leftMs <= 0 || this.#expiries.has(hash)) return;
    const check = () => {
      this.#expiries.delete(hash);
      if (leftMs > MAX_TIMER_MS) this.#watchExpiry(key);
      else this.#onEnd(id, 'KEY_EXPIRED');
    };
    this.#expiries.set(hash, setTimeout(check, Math.min(leftMs, MAX_TIMER_MS)).unref());
  }

  #forgetExpiry(hash: string): void {
    clearTimeout(this.#expiries.get(hash));
    this.#expiries.delete(hash);
  }

  #remove(held: HeldKey): void {
    const others = this.#heldOf(held.key.id).filter((it) => it !== held);
    if (others.length > 0) this.#held.set(held.key.id, others);
    else this.#held.delete(held.key.id);
  }
}

function isGood(key: KeyRecord | undefined): boolean {
  return key?.revokedAt === null;
}
