/**
 * Notifies other nodes and programs of changes to keys and the catalogue, by NOTIFY in the transaction of the change.
 *
 * Shape: `<node> keys` or `<node> toolkit:<id>`, far below PostgreSQL's limit of 8,000 bytes.
 */
import DataLoader from 'dataloader';
import { type Kysely, sql } from 'kysely';
import { SqlCatalog } from '../sql/catalog';
import { SqlKeys } from '../sql/keys';
import type { Atomically, Tables } from '../sql/tables';
import type {
  ActionRecord,
  ForeignChange,
  KeyChange,
  KeyRecord,
  NewApproval,
  RejectionRecord,
  ToolkitRecord,
  ToolkitTexts,
} from '../store';

export const CHANNEL = 'svc_changes';

type Subject = 'keys' | `toolkit:${string}`;

/** PostgreSQL delivers the notification when the transaction commits. */
async function notify(db: Kysely<Tables>, node: string, subject: Subject): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${`${node} ${subject}`})`.execute(db);
}

export class NotifiedChanges {
  readonly #node: string;
  readonly #listeners = new Set<(change: ForeignChange) => void>();
  /** Pending changes: those of this event-loop turn, or from before the first listener. */
  #keys = false;
  #toolkits: Set<string> | 'all' = new Set();
  #turn: NodeJS.Immediate | undefined;

  constructor(node: string) {
    this.#node = node;
  }

  listen(listener: (change: ForeignChange) => void): () => void {
    // A new function each time, so that the same listener can be added twice.
    const entry = (change: ForeignChange) => listener(change);
    this.#listeners.add(entry);
    this.#tellSoon();
    return () => void this.#listeners.delete(entry);
  }

  notified(payload = ''): void {
    const [node, subject = ''] = payload.split(' ');
    // Ignore this node's own changes.
    if (node === this.#node) return;
    if (subject === 'keys') this.#keys = true;
    else if (subject.startsWith('toolkit:') && this.#toolkits !== 'all') this.#toolkits.add(subject.slice('toolkit:'.length));
    this.#tellSoon();
  }

  /** Reports that anything may have changed, after a time without the connection that receives notifications. */
  anything(): void {
    this.#keys = true;
    this.#toolkits = 'all';
    this.#tellSoon();
  }

  #tellSoon(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#notifyListeners();
    });
  }

  #notifyListeners(): void {
    const toolkits: ForeignChange['toolkits'] = this.#toolkits === 'all' ? 'all' : [...this.#toolkits];
    if (this.#listeners.size === 0 || (!this.#keys && toolkits.length === 0)) return;
    const change = { keys: this.#keys, toolkits };
    this.#keys = false;
    this.#toolkits = new Set();
    for (const listener of this.#listeners) listener(change);
  }
}

/** A catalogue that notifies other nodes of its changes. */
export class PostgresCatalog extends SqlCatalog {
  readonly #database: Kysely<Tables>;
  readonly #node: string;

  constructor(db: Kysely<Tables>, node: string) {
    super(db, inTransaction(db));
    this.#database = db;
    this.#node = node;
  }

  override insertToolkit(toolkit: ToolkitRecord): Promise<boolean> {
    return this.#change(toolkit.id, (catalog) => catalog.insertToolkit(toolkit));
  }

  override updateToolkit(toolkit: ToolkitTexts): Promise<void> {
    return this.#change(toolkit.id, (catalog) => catalog.updateToolkit(toolkit));
  }

  override changeActions(toolkitId: string, change: { upsert: ActionRecord[]; remove: string[] }): Promise<void> {
    return this.#change(toolkitId, (catalog) => catalog.changeActions(toolkitId, change));
  }

  override approve(toolkitId: string, approvals: readonly NewApproval[]): Promise<void> {
    return this.#change(toolkitId, (catalog) => catalog.approve(toolkitId, approvals));
  }

  override reject(toolkitId: string, rejections: readonly RejectionRecord[]): Promise<void> {
    return this.#change(toolkitId, (catalog) => catalog.reject(toolkitId, rejections));
  }

  override removeToolkit(id: string, at: number): Promise<boolean> {
    return this.#change(id, (catalog) => catalog.removeToolkit(id, at));
  }

  #change<T>(toolkitId: string, change: (catalog: SqlCatalog) => Promise<T>): Promise<T> {
    return this.#database.transaction().execute(async (transaction) => {
      const result = await change(new SqlCatalog(transaction, oneByOne(transaction)));
      await notify(transaction, this.#node, `toolkit:${toolkitId}`);
      return result;
    });
  }
}

/** Keys that notify other nodes of changes. New keys are not reported: no node can have cached one, and thousands may be created in a row. */
export class PostgresKeys extends SqlKeys {
  readonly #database: Kysely<Tables>;
  readonly #node: string;

  constructor(db: Kysely<Tables>, node: string) {
    const byHash = new DataLoader((hashes: readonly string[]) => keysByHash(this, hashes), {
      cache: false,
      // All look-ups of an event-loop turn become one query.
      batchScheduleFn: setImmediate,
    });
    super(db, (hash) => byHash.load(hash));
    this.#database = db;
    this.#node = node;
  }

  override replaceHash(id: string, hash: string, formerUntil?: number): Promise<boolean> {
    return this.#change((keys) => keys.replaceHash(id, hash, formerUntil));
  }

  override change(id: string, change: KeyChange): Promise<boolean> {
    return this.#change((keys) => keys.change(id, change));
  }

  override revoke(id: string, at: number): Promise<boolean> {
    return this.#change((keys) => keys.revoke(id, at));
  }

  #change<T>(change: (keys: SqlKeys) => Promise<T>): Promise<T> {
    return this.#database.transaction().execute(async (transaction) => {
      const result = await change(new SqlKeys(transaction, this.findByHash));
      await notify(transaction, this.#node, 'keys');
      return result;
    });
  }
}

async function keysByHash(keys: SqlKeys, hashes: readonly string[]): Promise<(KeyRecord | undefined)[]> {
  const found = new Map((await keys.findAll('hash', hashes)).map((key) => [key.hash, key]));
  return hashes.map((hash) => found.get(hash));
}

export function inTransaction(db: Kysely<Tables>): Atomically {
  return (queries) => db.transaction().execute((transaction) => oneByOne(transaction)(queries));
}

function oneByOne(transaction: Kysely<Tables>): Atomically {
  return async (queries) => {
    for (const query of queries) await transaction.executeQuery(query.compile());
  };
}
