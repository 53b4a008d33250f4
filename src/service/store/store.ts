/**
 * What must last, behind one interface: SQLite for one node, PostgreSQL for any number, by one contract (`test/contract/store.ts`).
 *
 * Terms:  a *node* is one process of the service; the calls that it sent to handlers belong to it, until another one takes them.
 * Units:  times are milliseconds since the epoch.
 * Texts:  any Unicode but U+0000, which PostgreSQL does not take and SQLite on Node 22 cuts at; inside JSON it is escaped and harmless.
 * Errors: a database that cannot be reached rejects with SERVICE_UNAVAILABLE, which says when to try again; any other fault with the driver's
 *         error; nothing is swallowed.
 */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { ActionAnnotations, JsonSchema, KeyKind } from '../../protocol/http';
import type {
  AccountStore,
  AuditStore,
  CountStore,
  InvocationDetails,
  InvocationFilter,
  SearchCountStore,
  SettingStore,
  SightingStore,
} from './console-store';

export interface Store {
  /** This node: `node_…`, another one each time that the data is opened. */
  readonly node: string;
  readonly keys: KeyStore;
  readonly catalog: CatalogStore;
  readonly invocations: InvocationStore;
  readonly evidence: EvidenceStore;
  readonly vectors: VectorStore;
  readonly accounts: AccountStore;
  readonly audit: AuditStore;
  readonly settings: SettingStore;
  readonly counts: CountStore;
  readonly searches: SearchCountStore;
  readonly sightings: SightingStore;
  /** Calls back soon after another process has changed keys or catalogue (such as `svc-sdk keys revoke`, or another node). Returns the stop function. */
  onForeignChange(listener: (change: ForeignChange) => void): () => void;
  /** Counts calls in windows of that length, of all nodes together: `points` in each, for each key. */
  counter(limit: { points: number; seconds: number }): RateLimiterAbstract;
  close(): Promise<void>;
}

/** All of the data but its calls: what can be used beside a running service. */
export type StoredData = Pick<Store, 'keys' | 'catalog' | 'evidence' | 'vectors' | 'accounts' | 'audit' | 'settings' | 'close'>;

/** `full` survives a loss of power, `normal` the death of the process: docs/operations.md#durability. */
export type Durability = 'normal' | 'full';

export interface ForeignChange {
  /** A key was replaced or revoked; new ones need not be told. */
  keys: boolean;
  /** Whose details or actions may have changed: these; `new`: none, but there may be new ones; `all`: any, or they are gone. */
  toolkits: readonly string[] | 'new' | 'all';
}

export interface KeyRecord {
  /** `key_…`: public, shown in logs and to handlers as `ctx.agentId`. */
  id: string;
  kind: KeyKind;
  name: string;
  /** SHA-256 of the key, lower-case hex. */
  hash: string;
  /** The toolkit that a toolkit key belongs to. */
  toolkitId: string | null;
  /** What an agent key may use; null is everything. An action is allowed when either list names it or its toolkit. */
  allow: { toolkits: string[]; actions: string[] } | null;
  /** Calls per minute; null is no limit. */
  callsPerMinute: number | null;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Account whose key it is; null for keys that were made beside the console. */
  ownerId: string | null;
}

export type KeyChange = Partial<Pick<KeyRecord, 'name' | 'allow' | 'callsPerMinute'>>;

export interface KeyStore {
  insert(key: KeyRecord): Promise<void>;
  findByHash(hash: string): Promise<KeyRecord | undefined>;
  find(id: string): Promise<KeyRecord | undefined>;
  /** Those that there are, in no order. */
  findAll(by: 'id' | 'hash', values: readonly string[]): Promise<KeyRecord[]>;
  /** Of one account, oldest first. */
  ofOwner(ownerId: string): Promise<KeyRecord[]>;
  /** Oldest first. Reads every key that there ever was. */
  list(): Promise<KeyRecord[]>;
  /** Gives the key a new secret. False when there is no such key or it is revoked. */
  replaceHash(id: string, hash: string): Promise<boolean>;
  /** Changes what is given. False when there is no such key or it is revoked. */
  change(id: string, change: KeyChange): Promise<boolean>;
  /** False when there is no such key. A second revocation keeps the first time. */
  revoke(id: string, at: number): Promise<boolean>;
}

export interface ToolkitRecord {
  id: string;
  name: string;
  description: string;
  createdAt: number;
}

export interface ActionRecord {
  toolkitId: string;
  /** Without the toolkit id. */
  name: string;
  description: string;
  payloadSchema: JsonSchema;
  annotations: ActionAnnotations;
}

export interface CatalogStore {
  /** All of them, or those with these ids. */
  toolkits(ids?: readonly string[]): Promise<ToolkitRecord[]>;
  /** All of them, or those of these toolkits. */
  actions(toolkitIds?: readonly string[]): Promise<ActionRecord[]>;
  /** False when the id is taken. */
  insertToolkit(toolkit: ToolkitRecord): Promise<boolean>;
  updateToolkit(toolkit: Pick<ToolkitRecord, 'id' | 'name' | 'description'>): Promise<void>;
  /** In one transaction: adds or changes `upsert`, then removes the actions named in `remove`. */
  changeActions(toolkitId: string, change: { upsert: ActionRecord[]; remove: string[] }): Promise<void>;
  /** In one transaction: revokes its keys, which belong to no toolkit from then on, and removes its actions. False when there is no such toolkit. */
  removeToolkit(id: string, at: number): Promise<boolean>;
}

/** One call, from its dispatch to its outcome. */
export interface InvocationStart {
  /** Begins with the time, so that ids sort as the calls came. */
  id: string;
  agentKeyId: string;
  /** Null when the caller cannot retry it. */
  idempotencyKey: string | null;
  /** SHA-256 of action id and payload, lower-case hex: tells a retry from another call with the same key. */
  requestHash: string;
  /** Action id. */
  action: string;
  startedAt: number;
}

export interface InvocationOutcome {
  /** `OK` or an error code. */
  code: string;
  /** JSON text: the result, or a `ModelError`. The store drops it when the call has no idempotency key: nobody can ask again. */
  body: string | null;
  endedAt: number;
}

export type InvocationRecord = InvocationStart & {
  /** Whose call it is: the node that sends it to a handler, or waits for its result. */
  node: string;
  outcome: InvocationOutcome | null;
};

/** Called once: with an error, or with undefined and the value. Must not throw. */
export type Callback<T> = (error: unknown, value?: T) => void;

export interface InvocationStore {
  /** The call that holds this idempotency key, running or ended; also one whose `start` or `end` has not resolved yet. */
  find(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined>;
  get(id: string): Promise<InvocationRecord | undefined>;
  /** With an idempotency key durable when it resolves, else soon. False when the key is taken. The call belongs to this node. */
  start(invocation: InvocationStart): Promise<boolean>;
  /**
   * The same for the hot path, without a promise. `done` is called before this returns for a call without an idempotency key and for a key that is
   * known to be taken, else when the commit of this event-loop turn is durable.
   */
  start(invocation: InvocationStart, done: Callback<boolean>): void;
  /**
   * With an idempotency key durable when it resolves, else soon. A second outcome replaces the first when a handler gave it, and no other does.
   * Resolves with the outcome that stands. Rejects with INTERNAL for an invocation that was never started.
   */
  end(id: string, outcome: InvocationOutcome): Promise<InvocationOutcome>;
  /** The same for the hot path, without a promise. `done` is called before this returns for a call without an idempotency key that is in memory. */
  end(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void;
  /**
   * A call that ended before it reached a handler, started or not: recorded soon, for the books, without body, and its idempotency key is free
   * from now on, unless the call belongs to another node by now. A failure goes to the store's `onError`, for no caller waits for it.
   */
  refused(invocation: InvocationStart, outcome: InvocationOutcome): void;
  /** Of these calls, those without an outcome belong to this node from now on: an instance that has them is here. */
  take(ids: readonly string[]): Promise<InvocationRecord[]>;
  /** Calls without an outcome whose node does not live any more: they belong to this node from now on. Oldest first. */
  takeAbandoned(): Promise<InvocationRecord[]>;
  /** Resolves when everything that `end` was told before is durable. */
  settled(): Promise<void>;
  /** Newest first, by id; those before `before` (an id). At a million records as fast for any filter. */
  list(query: InvocationFilter & { limit: number; before?: string | undefined }): Promise<InvocationRecord[]>;
  /** When these keys called last; those that never did are absent. */
  lastCalls(agentKeyIds: readonly string[]): Promise<Map<string, number>>;
  /** Soon, in batches, never in the way of a call. A failure goes to the store's `onError`. */
  keepDetails(details: InvocationDetails): void;
  details(id: string): Promise<InvocationDetails | undefined>;
  /** Removes what started before `before`, without calls that still hold an idempotency key or run; in small steps. Returns how many. */
  remove(before: number): Promise<number>;
  /** Removes payloads and results that are kept in details; the rest stays. */
  forgetContent(): Promise<void>;
  /** Forgets idempotency keys and bodies of calls that started before `before`; the records stay. Returns how many. */
  forgetKeys(before: number): Promise<number>;
}

/** What came of it when an agent key used an action after a query. */
export interface EvidenceRecord extends EvidenceId {
  /** The query's terms, each a one-way hash. */
  terms: readonly string[];
  /** The query itself, where that may be kept. */
  text: string | null;
  /** Not whole numbers: a success counts less when it is less sure to belong to the query. */
  successes: number;
  failures: number;
  succeededAt: number | null;
  changedAt: number;
}

export interface EvidenceId {
  /** Action id. */
  action: string;
  /** Stands for the terms. */
  query: string;
  agentKeyId: string;
}

export interface EvidenceStore {
  /** What hashes the terms of these data: 32 bytes in hex, made by the first who asks. */
  secret(): Promise<string>;
  /** Adds records, or replaces those that are not newer. Rejects at once when another process writes: try again later. */
  save(records: readonly EvidenceRecord[]): Promise<void>;
  /** Rejects at once when another process writes. */
  remove(ids: readonly EvidenceId[]): Promise<void>;
  /** What changed at `since` or later, oldest first. */
  changedSince(since: number): Promise<EvidenceRecord[]>;
  /** Removes what has not changed since `before`. */
  prune(before: number): Promise<void>;
  removeKey(agentKeyId: string): Promise<void>;
  /** Removes the texts of all queries, from the file too; the rest stays. */
  forgetTexts(): Promise<void>;
  /** Removes everything and the secret, so that whoever still has some of it can see that it is void. */
  clear(): Promise<void>;
}

/** The vector of an action. */
export interface VectorRecord {
  /** Action id. */
  actionId: string;
  /** Of the model and the text that it was made with: with another one it is worth nothing. */
  fingerprint: string;
  /** A direction: its length means nothing. */
  vector: Int8Array<ArrayBuffer>;
}

/** Vectors of actions; an action may have gone before its vector does. */
export interface VectorStore {
  /** In order of the action ids by their code points, from the first that comes after `after`, which need not be there. */
  page(query: { after: string; limit: number }): Promise<VectorRecord[]>;
  /** In one transaction: adds them, or replaces those of the same actions. */
  put(records: readonly VectorRecord[]): Promise<void>;
  /** An id that is not there is no fault. */
  remove(actionIds: readonly string[]): Promise<void>;
}
