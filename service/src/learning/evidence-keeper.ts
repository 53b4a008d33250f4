/**
 * Evidence in the store: read at the start, written in batches behind, and what other processes write is read now and then.
 *
 * Errors: a failed batch is kept and written with the next one.
 */
import type { EvidenceId, EvidenceRecord, EvidenceStore, KeyStore } from '../store/store';
import type { Evidence } from './evidence';
import type { HashedTerms } from './hashed-terms';
import { FORGOTTEN_AFTER_MS } from './tally';

/** Writes of other nodes may arrive late, and their clocks differ. */
const OVERLAP_MS = 10_000;
/** A batch holds up everything else while it is written. */
const BATCH = 500;

export class EvidenceKeeper {
  readonly #store: EvidenceStore;
  readonly #keys: KeyStore;
  readonly #evidence: Evidence;
  readonly #terms: HashedTerms;
  #secret = '';
  #readUntil = 0;
  /** Not written yet, by id. */
  readonly #save = new Map<string, EvidenceRecord>();
  readonly #remove = new Map<string, EvidenceId>();

  constructor(parts: { store: EvidenceStore; keys: KeyStore; evidence: Evidence; terms: HashedTerms }) {
    this.#store = parts.store;
    this.#keys = parts.keys;
    this.#evidence = parts.evidence;
    this.#terms = parts.terms;
  }

  async load(now: number): Promise<void> {
    await this.#store.prune(now - FORGOTTEN_AFTER_MS);
    await this.#readSecret();
    await this.#read(now);
    await this.dropRevokedKeys();
    this.#evidence.settle(now, Number.POSITIVE_INFINITY);
  }

  /** Writes what this process has changed, then reads what others have: records that were removed here must not return. */
  async sync(now: number): Promise<void> {
    await this.#readSecret();
    await this.save();
    await this.#read(now);
  }

  async save(): Promise<void> {
    const { save, remove } = this.#evidence.takeChanges();
    for (const id of remove) {
      this.#save.delete(nameOf(id));
      this.#remove.set(nameOf(id), id);
    }
    for (const record of save) {
      this.#remove.delete(nameOf(record));
      this.#save.set(nameOf(record), record);
    }
    await inBatches(this.#remove, (ids) => this.#store.remove(ids));
    await inBatches(this.#save, (records) => this.#store.save(records));
  }

  async dropRevokedKeys(): Promise<void> {
    for (const { id, kind, revokedAt } of await this.#keys.list()) if (kind === 'agent' && revokedAt !== null) await this.#dropKey(id);
  }

  /** Nothing, for a key that is still good: its secret may have been replaced. */
  async dropIfRevoked(keyId: string): Promise<void> {
    const key = await this.#keys.find(keyId);
    if (key?.revokedAt !== null) await this.#dropKey(keyId);
  }

  async #dropKey(keyId: string): Promise<void> {
    if (this.#evidence.dropKey(keyId)) await this.#store.removeKey(keyId);
  }

  /** A new secret means that all evidence was cleared. */
  async #readSecret(): Promise<void> {
    const secret = await this.#store.secret();
    if (secret === this.#secret) return;
    this.#secret = secret;
    this.#terms.setSecret(secret);
    this.#evidence.clear();
    this.#save.clear();
    this.#remove.clear();
    this.#readUntil = 0;
  }

  async #read(now: number): Promise<void> {
    // A record that was written while a clock was ahead must not hide later ones.
    const since = Math.min(this.#readUntil, now) - OVERLAP_MS;
    for (const record of await this.#store.changedSince(since)) {
      this.#evidence.merge(record, now);
      this.#readUntil = Math.max(this.#readUntil, record.changedAt);
    }
  }
}

async function inBatches<T>(waiting: Map<string, T>, write: (items: T[]) => Promise<void>): Promise<void> {
  while (waiting.size > 0) {
    const batch = [...waiting].slice(0, BATCH);
    await write(batch.map(([, item]) => item));
    for (const [name, item] of batch) if (waiting.get(name) === item) waiting.delete(name);
  }
}

function nameOf({ action, query, agentKeyId }: EvidenceId): string {
  return `${action} ${query} ${agentKeyId}`;
}
