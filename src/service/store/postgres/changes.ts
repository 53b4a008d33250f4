/**
 * What other nodes and programs change, by NOTIFY within their transactions.
 *
 * Shape: `<node> keys` or `<node> toolkit:<id>`, far below PostgreSQL's limit of 8,000 bytes.
 */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../sql/tables';
import type { ForeignChange } from '../store';

export const CHANNEL = 'svc_changes';

export type Subject = 'keys' | `toolkit:${string}`;

/** In a transaction: it is told when that is committed. */
export async function tell(db: Kysely<Tables>, node: string, subject: Subject): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${`${node} ${subject}`})`.execute(db);
}

export class NotifiedChanges {
  readonly #node: string;
  readonly #listeners = new Set<(change: ForeignChange) => void>();
  /** What came in this turn of the event loop, or before anybody listened. */
  #keys = false;
  #toolkits: Set<string> | 'all' = new Set();
  #turn: NodeJS.Immediate | undefined;

  constructor(node: string) {
    this.#node = node;
  }

  listen(listener: (change: ForeignChange) => void): () => void {
    // A wrapper of its own, so that the same function can listen twice.
    const entry = (change: ForeignChange) => listener(change);
    this.#listeners.add(entry);
    this.#tellSoon();
    return () => void this.#listeners.delete(entry);
  }

  notified(payload = ''): void {
    const [node, subject = ''] = payload.split(' ');
    // This process knows what it did.
    if (node === this.#node) return;
    if (subject === 'keys') this.#keys = true;
    else if (subject.startsWith('toolkit:') && this.#toolkits !== 'all') this.#toolkits.add(subject.slice('toolkit:'.length));
    this.#tellSoon();
  }

  /** After a time in which notifications went unheard. */
  anything(): void {
    this.#keys = true;
    this.#toolkits = 'all';
    this.#tellSoon();
  }

  #tellSoon(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#tell();
    });
  }

  #tell(): void {
    const toolkits: ForeignChange['toolkits'] = this.#toolkits === 'all' ? 'all' : [...this.#toolkits];
    if (this.#listeners.size === 0 || (!this.#keys && toolkits.length === 0)) return;
    const change = { keys: this.#keys, toolkits };
    this.#keys = false;
    this.#toolkits = new Set();
    for (const listener of this.#listeners) listener(change);
  }
}
