import type { Kysely } from 'kysely';
import { SqlCatalog } from '../sql/catalog';
import type { Atomically, Tables } from '../sql/tables';
import type { ActionRecord, ToolkitRecord } from '../store';
import { tell } from './foreign-changes';

/** Tells other nodes of what it changes. */
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

  override updateToolkit(toolkit: Pick<ToolkitRecord, 'id' | 'name' | 'description'>): Promise<void> {
    return this.#change(toolkit.id, (catalog) => catalog.updateToolkit(toolkit));
  }

  override changeActions(toolkitId: string, change: { upsert: ActionRecord[]; remove: string[] }): Promise<void> {
    return this.#change(toolkitId, (catalog) => catalog.changeActions(toolkitId, change));
  }

  override removeToolkit(id: string, at: number): Promise<boolean> {
    return this.#change(id, (catalog) => catalog.removeToolkit(id, at));
  }

  #change<T>(toolkitId: string, change: (catalog: SqlCatalog) => Promise<T>): Promise<T> {
    return this.#database.transaction().execute(async (transaction) => {
      const result = await change(new SqlCatalog(transaction, oneByOne(transaction)));
      await tell(transaction, this.#node, `toolkit:${toolkitId}`);
      return result;
    });
  }
}

export function inTransaction(db: Kysely<Tables>): Atomically {
  return (queries) => db.transaction().execute((transaction) => oneByOne(transaction)(queries));
}

function oneByOne(transaction: Kysely<Tables>): Atomically {
  return async (queries) => {
    for (const query of queries) await transaction.executeQuery(query.compile());
  };
}
