/**
 * Stored calls that go on without their callers. Payloads are sealed; the store sees no key.
 *
 * Terms:  the *driver* of a call is the node that runs it or follows it. A call whose driver has ended is taken over.
 * Units:  times are milliseconds since the epoch, by the database's clock; `deadlineAt` by that of the node which accepted the call.
 * Errors: as in `store.ts`.
 */
export interface NewDetachedCall {
  /** The handle: `inv_…`. */
  id: string;
  agentKeyId: string;
  /** The user that may follow the call; null: any holder of the key. */
  userId: string | null;
  idempotencyKey: string;
  /** SHA-256 of action, payload and user, lower-case hex. */
  requestHash: string;
  /** Action id. */
  action: string;
  /** The payload. */
  sealed: string;
  sealedBy: string;
  /** JSON: with whose rights the call runs, and with which limits. */
  caller: string;
  deadlineAt: number;
  approvalId: string | null;
}

export interface DetachedRecord extends NewDetachedCall {
  /** The driver; null: none. */
  node: string | null;
  /** JSON: the newest report of the handler. */
  progress: string | null;
  cancelledAt: number | null;
  /** JSON of a `ModelError`: why it ended without a result. */
  error: string | null;
  createdAt: number;
  /** Null while it runs. */
  endedAt: number | null;
}

/** `isNew`: false for an earlier call. */
export interface AddedCall {
  call: DetachedRecord;
  isNew: boolean;
}

export interface DetachedStore {
  /**
   * Stores a call that this node drives. Resolves with the earlier call where its key has one with the same idempotency key, and with undefined,
   * storing nothing, while `max` calls of the key run.
   */
  add(call: NewDetachedCall, max: number): Promise<AddedCall | undefined>;
  /** Removes a call that has ended. */
  forget(id: string): Promise<void>;
  get(id: string): Promise<DetachedRecord | undefined>;
  /** The calls among these that were cancelled or have ended. */
  changed(ids: readonly string[]): Promise<{ id: string; isEnded: boolean }[]>;
  /** Makes this node the driver of up to `limit` calls that have none, or one that has ended. */
  takeAbandoned(limit: number): Promise<DetachedRecord[]>;
  /** Ids of the running calls whose driver is this node. */
  driven(): Promise<string[]>;
  /** Leaves the calls of this node to other nodes. */
  letGo(): Promise<void>;
  /** Stores the newest reports. */
  report(reports: ReadonlyMap<string, string>): Promise<void>;
  /** Does nothing to a call that has ended. */
  cancel(id: string): Promise<void>;
  /** Ends the call and removes its payload. Does nothing to a call that has ended. */
  end(id: string, error: string | null): Promise<void>;
  /** Removes calls that ended `ms` ago. */
  removeEnded(ms: number): Promise<void>;
}
