/** Details of calls on their way into the database: nobody waits for them, and what a crash of the database takes is the last moment's. */
import type { InvocationDetails } from '../console-store';
import { inPieces } from '../sql/in-pieces';
import { UnsavedDetails } from '../unsaved-details';
import type { Connections } from './connections';
import { asUnavailable } from './database-errors';

/** Milliseconds that details wait for others at most. */
const SAVE_MS = 100;
/** Until the next try, when the database could not be reached. */
const RETRY_MS = 500;

const WRITE = `
INSERT INTO invocation_details (id, timeline, payload, result)
SELECT id, timeline, payload, result
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS new (id, timeline, payload, result)
ORDER BY id
ON CONFLICT (id) DO UPDATE SET timeline = excluded.timeline, payload = excluded.payload, result = excluded.result`;

export class DetailWrites {
  readonly #connections: Connections;
  readonly #onError: (error: unknown) => void;
  readonly #unsaved: UnsavedDetails;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(connections: Connections, onError: (error: unknown) => void) {
    this.#connections = connections;
    this.#onError = onError;
    this.#unsaved = new UnsavedDetails(onError);
  }

  get(id: string): InvocationDetails | undefined {
    return this.#unsaved.get(id);
  }

  keep(details: InvocationDetails): void {
    this.#unsaved.put(details);
    this.#saveIn(SAVE_MS);
  }

  /** Rejects with SERVICE_UNAVAILABLE when they have to wait in memory. */
  save(): Promise<void> {
    // One after the other, so that no older version comes after a newer one.
    const save = this.#saving.then(() => this.#write());
    this.#saving = save.catch(() => {});
    return save;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closed = true;
    await this.save();
  }

  #saveIn(ms: number): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.save().catch((error: unknown) => {
        this.#onError(error);
        this.#saveIn(RETRY_MS);
      });
    }, ms).unref();
  }

  async #write(): Promise<void> {
    for (const details of inPieces(this.#unsaved.all())) {
      try {
        await this.#connections.rows({ name: 'svc-details', text: WRITE, values: columns(details) });
      } catch (error) {
        const unavailable = asUnavailable(error);
        if (unavailable) throw unavailable;
        // They can never be written: they must not come again and again.
        this.#onError(error);
      }
      this.#unsaved.saved(details);
    }
  }
}

function columns(details: readonly InvocationDetails[]): unknown[] {
  return [
    details.map(({ id }) => id),
    details.map(({ timeline }) => timeline),
    details.map(({ payload }) => payload),
    details.map(({ result }) => result),
  ];
}
