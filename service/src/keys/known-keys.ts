/**
 * Cache of keys by hash, bounded, so that the store is read once per key. Held keys, such as those of toolkit sockets, stay in the cache
 * until they are released.
 *
 * Notifies once when a cached key stops being valid: its secret was revoked or replaced, or the key expired. A former secret that works for longer
 * after a rotation has an entry of its own, and ends alone.
 */
import { asFormer } from '../store/former-secret';
import type { KeyRecord } from '../store/store';

type KeyEnd = 'KEY_REVOKED' | 'KEY_EXPIRED';

/** @param formerHash set where only this former secret has ended */
export type OnKeyEnd = (keyId: string, end: KeyEnd, formerHash?: string) => void;

/** An entry takes about half a kilobyte. */
const MAX_REMEMBERED = 10_000;
/** The longest delay of a Node timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface HeldKey {
  key: KeyRecord;
  holders: number;
}

export class KnownKeys {
  readonly #remembered = new Map<string, KeyRecord>();
  /** Held keys by id. A rotated key may have two entries until the end of its old secret is reported. */
  readonly #held = new Map<string, HeldKey[]>();
  /** Expiry timers by hash. A timer outlives the cache entry of its key, whose calls may still run. */
  readonly #expiries = new Map<string, NodeJS.Timeout>();
  readonly #onEnd: OnKeyEnd;

  constructor(onEnd: OnKeyEnd) {
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

  /** The hashes of all cached and held keys, or of one key. */
  hashes(id?: string): string[] {
    const known = [...this.#remembered.values(), ...[...this.#held.values()].flat().map(({ key }) => key)];
    return [...new Set(known.filter((key) => id === undefined || key.id === id).map(({ hash }) => hash))];
  }

  /** Compares the keys of `hashes` with `found`, the current records of the store, and reports the ended keys. */
  refresh(hashes: readonly string[], found: readonly KeyRecord[]): void {
    const asked = new Set(hashes);
    const current = new Map(found.map((key) => [key.hash, key]));
    const ended = new Set<string>();
    const endedFormer = new Map<string, string>();
    const end = (key: KeyRecord, now: KeyRecord | undefined) => {
      // A second rotation ends a former secret, and leaves the key and its present one.
      if (key.isFormer && !now) endedFormer.set(key.hash, key.id);
      else ended.add(key.id);
    };
    for (const key of this.#remembered.values()) {
      if (!asked.has(key.hash)) continue;
      const now = current.get(key.hash);
      if (isGood(key) && !isGood(now)) end(key, now);
      if (!isGood(now)) this.#forgetExpiry(key.hash);
      if (now) this.#remembered.set(key.hash, now);
      else this.#remembered.delete(key.hash);
      if (now?.isFormer && isGood(now)) this.#watchFormer(now);
    }
    for (const held of [...this.#held.values()].flat()) {
      if (!asked.has(held.key.hash)) continue;
      const now = current.get(held.key.hash);
      if (isGood(held.key) && !isGood(now)) end(held.key, now);
      if (now) this.#replace(held, now);
      else this.#remove(held);
    }
    for (const id of ended) this.#onEnd(id, 'KEY_REVOKED');
    for (const [hash, id] of endedFormer) if (!ended.has(id)) this.#onEnd(id, 'KEY_REVOKED', hash);
  }

  /**
   * Runs when the new secret of a held key is seen before `refresh` noticed the rotation by another process. The end of the old secret must
   * be reported before the new secret is used: the report names the key's id and would end both.
   */
  #endFormerSecret(key: KeyRecord): void {
    const { id, hash, former, isFormer } = key;
    if (isFormer) return;
    for (const held of this.#heldOf(id)) {
      if (held.key.hash === hash) continue;
      if (held.key.hash === former?.hash) {
        this.#remembered.set(former.hash, asFormer(key));
        this.#replace(held, asFormer(key));
        continue;
      }
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

  #replace(held: HeldKey, key: KeyRecord): void {
    held.key = key;
    if (key.isFormer && isGood(key)) this.#watchFormer(key);
  }

  /** Its end comes before that of the key, which may be watched already. */
  #watchFormer(key: KeyRecord): void {
    this.#forgetExpiry(key.hash);
    this.#watchExpiry(key);
  }

  #watchExpiry(key: Pick<KeyRecord, 'id' | 'hash' | 'expiresAt' | 'former' | 'isFormer'>): void {
    const { id, hash, expiresAt, former, isFormer } = key;
    const leftMs = (expiresAt ?? 0) - Date.now();
    // The end of an expired key was reported if the key was in use.
    if (expiresAt === null || leftMs <= 0 || this.#expiries.has(hash)) return;
    const check = () => {
      this.#expiries.delete(hash);
      if (leftMs > MAX_TIMER_MS) this.#watchExpiry(key);
      else if (isFormer && expiresAt === former?.until) this.#onEnd(id, 'KEY_EXPIRED', hash);
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
