/**
 * Authenticates callers by the key text of a request, and manages keys from creation to revocation.
 *
 * Errors: INVALID_KEY, KEY_REVOKED, KEY_EXPIRED, WRONG_KEY_KIND. A message names the key's id, never its text.
 */
import type { ChangeKeyRequest } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import type { CreatedKey, KeyInfo } from '#sdk/protocol/http';
import { Mutex } from '../lib/mutex';
import type { KeyListQuery } from '../store/key-list';
import type { CatalogStore, KeyPage, KeyRecord, KeyStore } from '../store/store';
import { randomBase62 } from './base62';
import { keyInHeader, type NeededKind, refuseMalformed, shapeOf } from './bearer';
import { readKeyChange } from './change-key';
import { toKeyInfo } from './key-info';
import { hashKey, makeKey } from './key-text';
import { KnownKeys, type OnKeyEnd } from './known-keys';
import { type NewKeyRequest, readNewKey } from './new-key';
import { toolkitOfKey } from './toolkit-of-key';

/** The owner of a new key. */
export interface NewKeyOwner {
  /** Id of an account; null for a key that was not made in the console. */
  ownerId?: string | null;
  /** The OAuth client whose key it is. Absent for any other key. */
  clientId?: string | null;
  /** True if the owner may get another key of an existing toolkit. */
  mayJoin?: (toolkitId: string) => boolean;
}

export class KeyRing {
  readonly #keys: KeyStore;
  readonly #catalog: CatalogStore;
  readonly #listeners = new Set<OnKeyEnd>();
  readonly #known = new KnownKeys((...ended) => {
    for (const listener of this.#listeners) listener(...ended);
  });
  /** Counts possible changes of keys. A key that was read before the last change must not be cached. */
  #changes = 0;
  /** Serialises reads: an older read must not replace a newer one. */
  readonly #refreshes = new Mutex();

  constructor({ keys, catalog }: { keys: KeyStore; catalog: CatalogStore }) {
    this.#keys = keys;
    this.#catalog = catalog;
  }

  /** The key in an `Authorization` header. Returns or throws synchronously for a cached key. */
  authenticate(header: string | undefined, needed: NeededKind): KeyRecord | Promise<KeyRecord> {
    const text = keyInHeader(header, needed);
    const hash = hashKey(text);
    const known = this.#known.get(hash);
    if (known) return usable(known, needed);
    refuseMalformed(text, needed);
    return this.#load(hash).then((key) => usable(key, needed));
  }

  /** The id of the key in an `Authorization` header, valid or not, if the key is cached. */
  knownId(header: string | undefined): string | undefined {
    return header === undefined ? undefined : this.#known.get(hashKey(keyInHeader(header, 'agent')))?.id;
  }

  /** The current record of a key that was authenticated before. Errors as `authenticate`. */
  again({ hash }: Pick<KeyRecord, 'hash'>, needed: NeededKind): KeyRecord | Promise<KeyRecord> {
    const known = this.#known.get(hash);
    return known ? usable(known, needed) : this.#load(hash).then((key) => usable(key, needed));
  }

  /**
   * Pins a key in the cache while a socket or another long use needs it: `onRevoked` is then called for the key until the returned function
   * releases it. Call this right after `authenticate`.
   */
  hold(key: KeyRecord): () => void {
    return this.#known.hold(key);
  }

  /**
   * Calls back when a key in use stops being valid: its sockets and calls must end. A replaced secret is reported as KEY_REVOKED. With the hash of
   * a former secret, only the sockets of that one must end. Returns the stop function.
   */
  onRevoked(listener: OnKeyEnd): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads all cached keys again, or one of them, after a possible change by any process. */
  refresh(id?: string): Promise<void> {
    this.#changes++;
    return this.#refreshes.run(() => this.#refresh(id));
  }

  async #refresh(id: string | undefined): Promise<void> {
    const hashes = this.#known.hashes(id);
    this.#known.refresh(hashes, await this.#keys.findAll('hash', hashes));
  }

  /**
   * Creates a key. A toolkit key without `toolkit` creates a toolkit too, with an id made from `name`. Rejects with CONFLICT while the owner has an
   * active key of the same client.
   */
  async create(asked: NewKeyRequest, { ownerId = null, clientId = null, mayJoin = () => true }: NewKeyOwner = {}): Promise<CreatedKey> {
    const createdAt = Date.now();
    const { toolkit, ...rest } = readNewKey(asked, createdAt);
    const toolkitId = rest.kind === 'toolkit' ? await toolkitOfKey(this.#catalog, rest.name, toolkit, mayJoin) : null;
    const key = makeKey(rest.kind);
    const record: KeyRecord = {
      id: `key_${randomBase62(16)}`,
      hash: hashKey(key),
      toolkitId,
      ...rest,
      createdAt,
      revokedAt: null,
      ownerId,
      clientId,
    };
    if (!(await this.#keys.insert(record))) throw new SvcError('CONFLICT', `The account has a key of this app already: ${record.name}`);
    return { key, ...toKeyInfo(record) };
  }

  /** Changes name, allow list, rate or budget of a key that is not revoked. Applies to later calls, at other nodes within a second. */
  async change(id: string, asked: ChangeKeyRequest): Promise<{ before: KeyRecord; after: KeyRecord }> {
    const before = await this.require(id);
    const change = readKeyChange(asked, before);
    if (!(await this.#keys.change(id, change))) throw new SvcError('INVALID_REQUEST', `Key ${id} was revoked and cannot be changed`);
    await this.refresh(id);
    return { before, after: { ...before, ...change } };
  }

  /**
   * Replaces the secret of a key.
   *
   * @param overlapMs how long the old secret works beside the new one; one that was replaced earlier stops at once
   */
  async rotate(id: string, overlapMs = 0): Promise<CreatedKey> {
    const record = await this.require(id);
    if (record.clientId !== null) throw clientKey(id);
    if (record.expiresAt !== null && record.expiresAt <= Date.now()) throw cannotRotate(id, 'has expired');
    const key = makeKey(record.kind);
    const until = overlapMs > 0 ? Date.now() + overlapMs : undefined;
    if (!(await this.#keys.replaceHash(id, hashKey(key), until))) throw cannotRotate(id, 'was revoked');
    await this.refresh(id);
    const { former: _, ...rotated } = record;
    return { key, ...toKeyInfo({ ...rotated, ...(until !== undefined && { former: { hash: record.hash, until } }) }) };
  }

  async revoke(id: string): Promise<void> {
    if (!(await this.#keys.revoke(id, Date.now()))) throw noSuchKey(id);
    await this.refresh(id);
  }

  /** Oldest first. */
  async list(): Promise<KeyInfo[]> {
    const keys = await this.#keys.list();
    return keys.map(toKeyInfo);
  }

  /** The stored records of one account, or of all. Oldest first. */
  records(ownerId?: string): Promise<KeyRecord[]> {
    return ownerId === undefined ? this.#keys.list() : this.#keys.ofOwner(ownerId);
  }

  page(query: KeyListQuery): Promise<KeyPage> {
    return this.#keys.page(query);
  }

  /** Number of keys of each account that are neither revoked nor expired. */
  activeCounts(): Promise<Map<string, number>> {
    return this.#keys.activeCounts(Date.now());
  }

  /** Keys by id; missing ones are left out. */
  async findAll(ids: readonly string[]): Promise<Map<string, KeyRecord>> {
    const found = await this.#keys.findAll('id', [...new Set(ids)]);
    return new Map(found.map((key) => [key.id, key]));
  }

  find(id: string): Promise<KeyRecord | undefined> {
    return this.#keys.find(id);
  }

  /** Rejects with NOT_FOUND. */
  async require(id: string): Promise<KeyRecord> {
    const record = await this.find(id);
    if (!record) throw noSuchKey(id);
    return record;
  }

  async #load(hash: string): Promise<KeyRecord> {
    for (;;) {
      const changes = this.#changes;
      const key = await this.#keys.findByHash(hash);
      if (changes !== this.#changes) continue;
      // Unknown keys are not cached: a caller can send any number of them.
      if (!key) throw new SvcError('INVALID_KEY', 'The key is unknown to this service: it was replaced, or belongs to another service');
      this.#known.remember(key);
      return key;
    }
  }
}

export function isActive({ revokedAt, expiresAt }: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > Date.now());
}

/** Throws KEY_REVOKED, KEY_EXPIRED or WRONG_KEY_KIND for a key that is now invalid for this purpose. */
function usable(key: KeyRecord, needed: NeededKind): KeyRecord {
  if (key.revokedAt !== null) throw new SvcError('KEY_REVOKED', `Key ${key.id} was revoked ${onDay(key.revokedAt)}: ask for a new one`);
  if (key.isFormer && key.expiresAt === key.former?.until && key.expiresAt <= Date.now())
    throw new SvcError('KEY_EXPIRED', `The former secret of key ${key.id} stopped ${onDay(key.expiresAt)}: use the new one`);
  if (key.expiresAt !== null && key.expiresAt <= Date.now())
    throw new SvcError('KEY_EXPIRED', `Key ${key.id} expired ${onDay(key.expiresAt)}: ask for a new one`);
  if (key.kind !== needed && ![needed].flat().includes(key.kind)) {
    const kinds = [needed]
      .flat()
      .map((kind) => `"${kind}"`)
      .join(' or ');
    throw new SvcError(
      'WRONG_KEY_KIND',
      `Key ${key.id} is of kind "${key.kind}", this request needs a key of kind ${kinds}: ${shapeOf(needed)}`,
    );
  }
  return key;
}

function onDay(time: number): string {
  return `on ${new Date(time).toISOString()}`;
}

export function noSuchKey(id: string): SvcError {
  return new SvcError('NOT_FOUND', `There is no key ${id}: list the keys to see their ids`);
}

function clientKey(id: string): SvcError {
  return new SvcError(
    'INVALID_REQUEST',
    `Key ${id} is of a connected app, which signs in without a secret: disconnect the app to end its access`,
  );
}

function cannotRotate(id: string, reason: string): SvcError {
  return new SvcError('INVALID_REQUEST', `Key ${id} ${reason} and cannot get a new secret: create a new key`);
}
