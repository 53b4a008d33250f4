/**
 * The durable data behind one interface: SQLite for one node, PostgreSQL for any number. Both pass `service/test/contract/store.ts`.
 *
 * Terms:  a *node* is one process of the service. It owns the calls that it sent to handlers, until another node takes them over.
 * Units:  times are milliseconds since the epoch.
 * Texts:  any Unicode but U+0000: PostgreSQL rejects it, and SQLite on Node 22 cuts the text there. Inside JSON it is escaped and harmless.
 * Errors: an unreachable database rejects with SERVICE_UNAVAILABLE, which says when to try again; any other fault with the driver's error.
 */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { ActionIcon, ActionMeta } from '#sdk/protocol/action-meta';
import type { ActionAuth, ToolkitAuth } from '#sdk/protocol/connections';
import type { SvcError } from '#sdk/protocol/errors';
import type { ActionAnnotations, Budget, JsonSchema, KeyKind, Payment } from '#sdk/protocol/http';
import type { Rule } from '#sdk/protocol/rules';
import type { AlertStore } from './alert-store';
import type { CallApprovalStore } from './approval-store';
import type { CallerNumberStore, CallerQuery, ToolkitCallerSums } from './caller-store';
import type { ConnectStore } from './connect-store';
import type { ConnectionStore } from './connection-store';
import type {
  AccountStore,
  AuditStore,
  CountStore,
  InvocationDetails,
  InvocationFilter,
  SearchCountStore,
  SessionRequestStore,
  SettingStore,
  SightingStore,
} from './console-store';
import type { DetachedStore } from './detached-store';
import type { KeyListQuery, KeyPlace } from './key-list';
import type { ListingStore } from './listing-store';
import type { MisfitStore } from './misfit-store';
import type { OAuthStore } from './oauth-store';
import type { RunStore } from './run-store';
import type { SavedViewStore } from './saved-view-store';
import type { SessionSumStore } from './session-store';
import type { SystemStore } from './system-store';
import type { ToolkitProfileStore } from './toolkit-profile-store';

export interface Store {
  /** Id of this node: `node_…`. Each opening of the data makes a new one. */
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
  readonly misfits: MisfitStore;
  readonly toolkitProfiles: ToolkitProfileStore;
  readonly savedViews: SavedViewStore;
  readonly callers: CallerNumberStore;
  readonly listings: ListingStore;
  readonly sessionRequests: SessionRequestStore;
  readonly sessionSums: SessionSumStore;
  readonly ledger: LedgerStore;
  readonly oauth: OAuthStore;
  readonly connections: ConnectionStore;
  readonly connect: ConnectStore;
  /** Questions to a person about calls; `catalog.approvals` are those of the texts of actions. */
  readonly approvals: CallApprovalStore;
  readonly detached: DetachedStore;
  /** Programs of models. */
  readonly runs: RunStore;
  readonly alerts: AlertStore;
  readonly system: SystemStore;
  /** Notifies soon after another process, such as `svc-service keys revoke`, changed keys or catalogue. Returns a function that stops it. */
  onForeignChange(listener: (change: ForeignChange) => void): () => void;
  /** A rate limiter that all nodes share: `points` calls per key in each window of `seconds`. */
  counter(limit: { points: number; seconds: number }): RateLimiterAbstract;
  /**
   * Runs `work` while this node holds the settlement lock. Resolves with false, without running `work`, while another node holds it.
   * Queries of `work` reject once another node may have the lock.
   */
  settling(work: (ledger: UnsettledEntries) => Promise<void>): Promise<boolean>;
  close(): Promise<void>;
}

/** All of the data but the calls. A service may be running on them. */
export type StoredData = Pick<
  Store,
  | 'keys'
  | 'catalog'
  | 'evidence'
  | 'vectors'
  | 'accounts'
  | 'alerts'
  | 'audit'
  | 'savedViews'
  | 'settings'
  | 'oauth'
  | 'connections'
  | 'connect'
  | 'system'
  | 'close'
>;

/** `full` survives a power loss, `normal` a crash of the process: docs/operations.md#durability. */
export type Durability = 'normal' | 'full';

export interface ForeignChange {
  /** True when a key was replaced or revoked. New keys are not reported. */
  keys: boolean;
  /** Toolkits that may have changed. `new`: none changed, but there may be new ones. `all`: any may have changed or be removed. */
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
  /** Allow list of an agent key; null allows everything. An action is allowed when either list names it or its toolkit. */
  allow: { toolkits: string[]; actions: string[] } | null;
  /** Calls per minute; null: unlimited. */
  callsPerMinute: number | null;
  /** The limits of an agent key for paid calls; null: it may use only free actions. */
  budget: Budget | null;
  /** The rules of an agent key; null: none. */
  rules: Rule[] | null;
  /** Whether an agent key may run code. */
  code: boolean;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Account that owns the key; null for keys that were not created in the console. */
  ownerId: string | null;
  /** The OAuth client whose tokens are made from the key; null for any other key. */
  clientId: string | null;
  /** The secret before the last rotation, if it works for longer. */
  former?: FormerSecret;
  /** The key was found by its former secret: `hash` is that of this secret, and `expiresAt` its end. */
  isFormer?: true;
}

interface FormerSecret {
  hash: string;
  until: number;
}

export type KeyChange = Partial<Pick<KeyRecord, 'name' | 'allow' | 'callsPerMinute' | 'budget' | 'rules' | 'code'>>;

export interface KeyStore {
  /** Resolves with false, and stores nothing, while the owner has an active key of the same client. */
  insert(key: KeyRecord): Promise<boolean>;
  /** @param hash of the secret of the key, or of its former one */
  findByHash(hash: string): Promise<KeyRecord | undefined>;
  find(id: string): Promise<KeyRecord | undefined>;
  /** The existing ones, in no particular order. */
  findAll(by: 'id' | 'hash', values: readonly string[]): Promise<KeyRecord[]>;
  /** Keys of one account, oldest first. */
  ofOwner(ownerId: string): Promise<KeyRecord[]>;
  /** Every key, including revoked ones, oldest first. */
  list(): Promise<KeyRecord[]>;
  page(query: KeyListQuery): Promise<KeyPage>;
  /** Number of keys of each account that are neither revoked nor expired. */
  activeCounts(now: number): Promise<Map<string, number>>;
  /**
   * Rotates the key's secret. False when there is no such key or it is revoked.
   *
   * @param formerUntil absent: the former secret stops at once
   */
  replaceHash(id: string, hash: string, formerUntil?: number): Promise<boolean>;
  /** Changes the given fields. False when there is no such key or it is revoked. */
  change(id: string, change: KeyChange): Promise<boolean>;
  /** Removes the connections of the key too. False when there is no such key. A second revocation keeps the time of the first. */
  revoke(id: string, at: number): Promise<boolean>;
}

export interface KeyPage {
  items: KeyRecord[];
  /** Number of keys that match, on all pages. */
  total: number;
  /** The place of the last item. Absent on the last page. */
  next?: KeyPlace;
}

export interface ToolkitRecord {
  id: string;
  name: string;
  description: string;
  createdAt: number;
  /** When the toolkit took its present name. Absent: with its creation. */
  namedAt?: number;
  /** The connection that its calls need. Absent: none. */
  auth?: ToolkitAuth;
}

export type ToolkitTexts = Pick<ToolkitRecord, 'id' | 'name' | 'description' | 'namedAt' | 'auth'>;

export interface ActionRecord {
  toolkitId: string;
  /** The action's name within its toolkit. */
  name: string;
  description: string;
  payloadSchema: JsonSchema;
  annotations: ActionAnnotations;
  /** The most that one call costs. Absent: the action is free. */
  payment?: Payment;
  /** A name for people. */
  title?: string;
  /** JSON Schema of an object. Absent: the toolkit does not say. */
  resultSchema?: JsonSchema;
  /** `_meta` for MCP clients. */
  meta?: ActionMeta;
  icons?: ActionIcon[];
  /** Where it differs from its toolkit's. */
  auth?: ActionAuth;
  /** A call may take up to `longTimeoutMs`. */
  long?: true;
}

/** The owner's approval of the texts of an action. */
export interface ApprovalRecord {
  toolkitId: string;
  /** The action's name within its toolkit. */
  name: string;
  /** SHA-256 of the text, lower-case hex. */
  hash: string;
  /** The text contains the shape of a result. */
  hasShape: boolean;
}

export interface NewApproval extends ApprovalRecord {
  text: string;
  approvedAt: number;
}

/** The texts of an action that an owner rejected. */
export interface RejectionRecord {
  toolkitId: string;
  /** The action's name within its toolkit. */
  name: string;
  /** SHA-256 of the text, lower-case hex. */
  hash: string;
  /** The reason, for the developer of the action. */
  reason: string;
  rejectedAt: number;
}

export interface CatalogStore {
  /** All toolkits, or those with these ids. */
  toolkits(ids?: readonly string[]): Promise<ToolkitRecord[]>;
  /** All actions, or those of these toolkits. */
  actions(toolkitIds?: readonly string[]): Promise<ActionRecord[]>;
  /** False when the id is taken. */
  insertToolkit(toolkit: ToolkitRecord): Promise<boolean>;
  updateToolkit(toolkit: ToolkitTexts): Promise<void>;
  /** Adds or changes `upsert`, then removes the actions named in `remove`, in one transaction. */
  changeActions(toolkitId: string, change: { upsert: ActionRecord[]; remove: string[] }): Promise<void>;
  /** All approvals, or those of these toolkits. An approval may outlive its action. */
  approvals(toolkitIds?: readonly string[]): Promise<ApprovalRecord[]>;
  /** The text of the action that was approved last. */
  lastApprovedText(toolkitId: string, name: string): Promise<string | undefined>;
  /** All rejections, or those of these toolkits. A rejection may outlive its action. */
  rejections(toolkitIds?: readonly string[]): Promise<RejectionRecord[]>;
  /** Adds rejections of one toolkit's actions, or replaces their reason and time. */
  reject(toolkitId: string, rejections: readonly RejectionRecord[]): Promise<void>;
  /** Adds approvals of one toolkit's actions, or renews their time, and removes the rejections of the same texts. */
  approve(toolkitId: string, approvals: readonly NewApproval[]): Promise<void>;
  /**
   * Removes a toolkit with its profile, its actions, their approvals and rejections, the numbers of its callers and its connections, and revokes
   * and detaches its keys, in one transaction. False when
   * there is no such toolkit.
   */
  removeToolkit(id: string, at: number): Promise<boolean>;
}

/** One call, from its dispatch to its outcome. */
export interface InvocationStart {
  /** Begins with the time, so that ids sort by arrival. */
  id: string;
  agentKeyId: string;
  /** Null when the caller cannot retry it. */
  idempotencyKey: string | null;
  /** SHA-256 of action id and payload, lower-case hex. It distinguishes a retry from another call with the same key. */
  requestHash: string;
  /** Action id. */
  action: string;
  startedAt: number;
  /** Present for a paid call, which always has an idempotency key. */
  hold?: Hold | undefined;
  /** `program`: a program of the model's provider. `run_…`: a run of code. Absent: the agent itself. */
  madeBy?: string | undefined;
  /** A person made the call with the key, in the console. Absent: the agent made it. */
  origin?: 'console' | undefined;
}

/** The part of its key's budget that a paid call holds until its outcome is known. Amounts are millionths. */
export interface Hold {
  amount: bigint;
  currency: string;
  /** The key's budget of a UTC day. Absent in a record that was read from the data. */
  perDay?: bigint;
}

export interface InvocationOutcome {
  /** `OK` or an error code. */
  code: string;
  /** JSON text: the result, or a `ModelError`. Not stored for a call without an idempotency key, which cannot be retried. */
  body: string | null;
  endedAt: number;
  /** The cost of a paid call, in millionths. Absent while the amount is still held, because it is unknown whether the call ran. */
  charged?: bigint;
  /** The code of the toolkit's own error, of a call that its handler failed. */
  toolkitCode?: string | undefined;
  /** Tenths of a millisecond from the arrival at the node that ended the call. Absent where that node took the call over. */
  took?: number | undefined;
}

export type InvocationRecord = InvocationStart & {
  /** The node that owns the call: it sends the call to a handler, or waits for its result. */
  node: string;
  outcome: InvocationOutcome | null;
};

/** Called once, with an error or with undefined and the value. Must not throw. */
export type Callback<T> = (error: unknown, value?: T) => void;

export interface ResultSum {
  bytes: number;
  /** Invocation id of the oldest one; undefined when there is none. */
  oldestId: string | undefined;
}

export interface ResultsToForget {
  /** Invocation id of the oldest call to look at. */
  fromId: string;
  /** The removal ends when it has removed as many, or finds no more. */
  bytes: number;
}

export interface ForgottenResults {
  bytes: number;
  /** Invocation id to begin with the next time. */
  nextId: string;
}

export interface InvocationStore {
  /** Why calls cannot be stored now; undefined while they can. */
  fault(): SvcError | undefined;
  /** The call that holds this idempotency key, running or ended. Waits for a pending `start` or `end` of it. */
  find(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined>;
  get(id: string): Promise<InvocationRecord | undefined>;
  /**
   * Records a call of this node. With an idempotency key it is durable when the promise resolves, otherwise soon after. False when the key is taken.
   */
  start(invocation: InvocationStart): Promise<boolean>;
  /**
   * The same for the hot path, without a promise. `done` is called synchronously for a call without an idempotency key and for a key that is
   * known to be taken, otherwise when the commit of this event-loop turn is durable.
   */
  start(invocation: InvocationStart, done: Callback<boolean>): void;
  /**
   * Records the outcome. With an idempotency key it is durable when the promise resolves, otherwise soon after. A second outcome replaces the
   * first only when it comes from a handler. Resolves with the recorded outcome. Rejects with INTERNAL for a call that was never started.
   */
  end(id: string, outcome: InvocationOutcome): Promise<InvocationOutcome>;
  /** The same for the hot path, without a promise. `done` is called synchronously for a call without an idempotency key that is in memory. */
  end(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void;
  /**
   * Records, soon and without body, a call that ended before it reached a handler, started or not. Frees its idempotency key, unless another
   * node owns the call by now. A failure is reported to the store's `onError`, since no caller waits for it.
   */
  refused(invocation: InvocationStart, outcome: InvocationOutcome): void;
  /**
   * Frees the idempotency key of a call that ended with ACTION_FAILED, whichever node owns it, and removes the body. Durable when the promise
   * resolves. Does nothing to any other call.
   */
  release(id: string): Promise<void>;
  /** Makes this node the owner of these calls, where they have no outcome: the toolkit instance that runs them connected here. */
  take(ids: readonly string[]): Promise<InvocationRecord[]>;
  /** Makes this node the owner of the unfinished calls of dead nodes; returns them, oldest first. */
  takeAbandoned(): Promise<InvocationRecord[]>;
  /**
   * Calls of this node without an outcome that started before, milliseconds since the epoch, and are not being written. One that the node does not
   * know is its own because the answer of the database was lost.
   */
  open(before: number): Promise<InvocationRecord[]>;
  /** Resolves when the outcomes of all earlier `end` calls are durable. */
  settled(): Promise<void>;
  /** Calls before `before` (an id), newest first. Every filter is fast at a million calls. */
  list(query: InvocationFilter & { limit: number; before?: string | undefined }): Promise<InvocationRecord[]>;
  /** The keys that called a toolkit, most calls first, with the calls that have ended, without those of people in the console. */
  callers(query: CallerQuery): Promise<ToolkitCallerSums>;
  /** Time of each key's last call; keys without calls are absent. */
  lastCalls(agentKeyIds: readonly string[]): Promise<Map<string, number>>;
  /** Stores them soon, in batches, without delaying calls. A failure is reported to the store's `onError`. */
  keepDetails(details: InvocationDetails): void;
  details(id: string): Promise<InvocationDetails | undefined>;
  /** The stored payloads of these calls, as JSON text; the others are left out. */
  payloads(ids: readonly string[]): Promise<Map<string, string>>;
  /** Their stored results, of failed calls their errors, in the same form. */
  results(ids: readonly string[]): Promise<Map<string, string>>;
  /** The errors that handlers of this toolkit gave codes of their own, of calls that started at `from` or later; the most frequent first. */
  toolkitErrors(toolkitId: string, from: number): Promise<ToolkitErrorCount[]>;
  /** Removes calls that started before `before`, in small steps, except those that run or hold an idempotency key. Returns how many. */
  remove(before: number): Promise<number>;
  /** Removes payloads and results from the details; the timelines stay. */
  forgetContent(): Promise<void>;
  /** Clears idempotency keys and bodies of calls that ended before `before`; the records stay. Returns how many. */
  forgetKeys(before: number): Promise<number>;
  /** Counts the results that are kept for retries of a key's calls, in small steps. Only bodies from handlers count. */
  keptResults(agentKeyId: string): Promise<ResultSum>;
  /**
   * Removes the oldest of these results, in small steps, until it has removed so many bytes. The records and their idempotency keys stay, except
   * the keys of failures that their handlers call retryable.
   */
  forgetResults(agentKeyId: string, results: ResultsToForget): Promise<ForgottenResults>;
}

/** Failed calls with the same code of their toolkit. */
export interface ToolkitErrorCount {
  code: string;
  /** Action id. */
  action: string;
  calls: number;
  /** The start of the last of them. */
  lastAt: number;
}

/** A paid call: what its key's budget held for it, and what it cost in the end. Amounts are millionths. */
export interface LedgerEntry {
  invocationId: string;
  agentKeyId: string;
  /** Action id. */
  action: string;
  currency: string;
  authorised: bigint;
  /** Null while held. 0n: released. */
  charged: bigint | null;
  /** Decides the UTC day whose budget pays. */
  heldAt: number;
  /** When it was charged or released. */
  bookedAt: number | null;
  /** When the settlement accepted it. */
  settledAt: number | null;
}

export interface LedgerFilter {
  /** Entries held at `from` or later, before `to`. */
  from?: number | undefined;
  to?: number | undefined;
  /** Entries of these agent keys, and those that these toolkits held since then; absent: all. */
  visible?: { agentKeyIds: readonly string[]; toolkits: readonly { id: string; since: number }[] } | undefined;
  agentKeyId?: string | undefined;
  toolkit?: string | undefined;
  /** Action id. */
  action?: string | undefined;
}

export interface LedgerPage extends LedgerFilter {
  /** The order of the invocation ids, which sort by time. */
  order: 'oldest' | 'newest';
  /** The invocation id of the last entry before the page. */
  cursor?: string | undefined;
  limit: number;
}

/** Amounts are millionths. */
export interface Spent {
  charged: bigint;
  held: bigint;
}

/** `calls` counts the released ones too. */
export interface LedgerTotal extends Spent {
  calls: number;
}

/** `name`: the id of the key, toolkit, action, session or user, or the day, such as `2026-11-23`. */
export interface LedgerSum extends LedgerTotal {
  name: string;
}

export type SpendingDimension = 'key' | 'toolkit' | 'action' | 'day' | 'session' | 'user';

export interface LedgerStore {
  /** Returns the sums of keys in the UTC day of `at`. A key without a paid call is absent. */
  spent(agentKeyIds: readonly string[], at: number): Promise<Map<string, Spent>>;
  list(page: LedgerPage): Promise<LedgerEntry[]>;
  /** Returns entries by the id of their call; free calls are absent. */
  ofCalls(invocationIds: readonly string[]): Promise<Map<string, LedgerEntry>>;
  /** The highest charge first; days in their order. */
  sums(by: SpendingDimension, query: LedgerFilter & { currency: string; limit: number }): Promise<LedgerSum[]>;
  total(query: LedgerFilter & { currency: string }): Promise<LedgerTotal>;
  /** Charged entries that no settlement accepted, in the order in which they were booked. */
  unsettled(limit: number): Promise<LedgerEntry[]>;
  /** Marks entries as settled. A second time keeps the first. */
  settle(invocationIds: readonly string[], at: number): Promise<void>;
  /** Releases what is held since before `before`. Returns how many. */
  releaseHeld(before: number, at: number): Promise<number>;
  /** The currency of the latest entry. */
  currency(): Promise<string | undefined>;
}

/** The part of the ledger that the settlement uses. */
export type UnsettledEntries = Pick<LedgerStore, 'unsettled' | 'settle'>;

/** How often an action succeeded and failed when an agent key used it after a query. */
export interface EvidenceRecord extends EvidenceId {
  /** The query's terms, each a one-way hash. */
  terms: readonly string[];
  /** The query itself, where storing it is allowed. */
  text: string | null;
  /** A fraction: a success counts less when it is less certain to belong to the query. */
  successes: number;
  failures: number;
  succeededAt: number | null;
  changedAt: number;
}

export interface EvidenceId {
  /** Action id. */
  action: string;
  /** Id of the set of terms. */
  query: string;
  agentKeyId: string;
}

export interface EvidenceStore {
  /** The key that hashes the terms of these data: 32 bytes in hex, created on first use. */
  secret(): Promise<string>;
  /** Adds records, or replaces those that are not newer. Rejects at once, for a later retry, while another process writes. */
  save(records: readonly EvidenceRecord[]): Promise<void>;
  /** Rejects at once while another process writes. */
  remove(ids: readonly EvidenceId[]): Promise<void>;
  /** Records that changed at `since` or later, oldest first. */
  changedSince(since: number): Promise<EvidenceRecord[]>;
  /** Removes records that have not changed since `before`. */
  prune(before: number): Promise<void>;
  removeKey(agentKeyId: string): Promise<void>;
  /** Removes the texts of all queries, also from the file; the rest stays. */
  forgetTexts(): Promise<void>;
  /** Removes everything and the secret. A node that still holds records sees by the new secret that they are void. */
  clear(): Promise<void>;
}

/** The vector of an action. */
export interface VectorRecord {
  /** Action id. */
  actionId: string;
  /** Fingerprint of the model and the text. A vector with another fingerprint is stale. */
  fingerprint: string;
  /** Only the direction matters, not the length. */
  vector: Int8Array<ArrayBuffer>;
}

/** Vectors of actions. A vector may outlive its action. */
export interface VectorStore {
  /** Vectors in code-point order of the action ids, from the first id after `after`, which need not exist. */
  page(query: { after: string; limit: number }): Promise<VectorRecord[]>;
  /** Adds them, or replaces those of the same actions, in one transaction. */
  put(records: readonly VectorRecord[]): Promise<void>;
  /** Ignores unknown ids. */
  remove(actionIds: readonly string[]): Promise<void>;
}
