/**
 * Invocations on PostgreSQL. What a caller waits for is committed in groups; the rest goes along soon.
 *
 * While the database cannot be reached, calls with an idempotency key are refused and those without go on; outcomes stay in memory, and nobody is
 * told of them, until they are written.
 */
import { SvcError } from '../../../protocol/errors';
import type { InvocationDetails } from '../console-store';
import { inPieces } from '../sql/in-pieces';
import type { ListQuery } from '../sql/invocation-list';
import { type SqlInvocations, toInvocation } from '../sql/invocations';
import type { InvocationRow } from '../sql/tables';
import type { InvocationOutcome, InvocationRecord, InvocationStart, InvocationStore } from '../store';
import { TAKING } from './advisory-locks';
import type { Connections } from './connections';
import { asUnavailable } from './database-errors';
import { DetailWrites } from './detail-writes';
import { GroupCommit } from './group-commit';
import { type InvocationWrite, writeInvocations } from './invocation-writes';
import { LIVES, LONG_DEAD, type NodeLife } from './node-life';
import { UnwrittenRecords } from './unwritten-records';

/** Milliseconds that a record waits at most which nobody waits for. */
const SAVE_MS = 100;
/** For the database to come back when this node closes. */
const CLOSE_MS = 5_000;
/** Records in memory while the database is away: then calls without an idempotency key are refused too. */
const MAX_UNWRITTEN = 50_000;
/** PostgreSQL waits for the disk once for several commits at a time. */
export const LANES = 2;

const BY_KEY = 'SELECT * FROM invocations WHERE agent_key_id = $1 AND idempotency_key = $2';
const BY_ID = 'SELECT * FROM invocations WHERE id = $1';
const TAKE = 'UPDATE invocations SET node = $1 WHERE id = ANY ($2::text[]) AND code IS NULL RETURNING *';
const TAKE_ABANDONED = `
UPDATE invocations SET node = $1
WHERE code IS NULL AND node <> $1 AND node NOT IN (SELECT id FROM nodes WHERE ${LIVES})
RETURNING *`;

export interface InvocationDeps {
  node: string;
  life: NodeLife;
  queries: SqlInvocations;
  reads: Connections;
  writes: Connections;
  /** Their commits do not wait for the disk. */
  lazy: Connections;
  onError: (error: unknown) => void;
}

export class PostgresInvocations implements InvocationStore {
  readonly #parts: InvocationDeps;
  readonly #unwritten = new UnwrittenRecords();
  readonly #groups: GroupCommit<InvocationWrite>;
  readonly #details: DetailWrites;
  /** Starts that have not resolved yet, by `<agent key id> <idempotency key>`: with the error of one that failed, and never rejected. */
  readonly #starting = new Map<string, Promise<unknown>>();
  /** Starts and ends likewise, by the id of the call. */
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #ending = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #savingEnded: Promise<void> | undefined;
  #leftOut = 0;
  #closing = false;

  constructor(deps: InvocationDeps) {
    this.#parts = deps;
    const { writes, lazy, node, onError } = deps;
    this.#details = new DetailWrites(lazy, onError);
    const commit = (group: InvocationWrite[]) => writes.use((client) => writeInvocations(client, node, group));
    this.#groups = new GroupCommit({ lanes: LANES, commit, onError });
  }

  async find(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined> {
    const key = keyOf(agentKeyId, idempotencyKey);
    const failure = await this.#starting.get(key);
    if (failure) throw failure;
    await this.#freed(key);
    return this.#read({ name: 'svc-by-key', text: BY_KEY, values: [agentKeyId, idempotencyKey] });
  }

  async get(id: string): Promise<InvocationRecord | undefined> {
    const unwritten = this.#unwritten.get(id);
    if (unwritten) return unwritten;
    await this.#underWay.get(id);
    return this.#read({ name: 'svc-by-id', text: BY_ID, values: [id] });
  }

  async start(call: InvocationStart): Promise<boolean> {
    const { agentKeyId, idempotencyKey } = call;
    if (idempotencyKey === null) return this.#startUnkeyed(call);
    const key = keyOf(agentKeyId, idempotencyKey);
    const rival = this.#starting.get(key);
    if (rival) {
      const failure = await rival;
      if (failure) throw failure;
      // Whoever has it, it is taken.
      return false;
    }
    const started = this.#startKeyed(call, key);
    const done = started.then(noFailure, asFailure);
    noteWhile(this.#starting, key, done);
    noteWhile(this.#underWay, call.id, done);
    return started;
  }

  async #startKeyed(call: InvocationStart, key: string): Promise<boolean> {
    await this.#freed(key);
    try {
      return await new Promise<boolean>((resolve, reject) => this.#groups.add({ op: 'start', call, chars: 0, resolve, reject }));
    } catch (error) {
      // It may have been committed all the same: then its key gets free.
      this.refused(call, { code: 'SERVICE_UNAVAILABLE', body: null, endedAt: Date.now() });
      throw error;
    }
  }

  #startUnkeyed(call: InvocationStart): boolean {
    if (this.#unwritten.size >= MAX_UNWRITTEN)
      throw new SvcError('SERVICE_UNAVAILABLE', 'Too many calls wait to be written into the database; try again', { retryAfterMs: 1_000 });
    this.#unwritten.put({ ...call, node: this.#parts.node, outcome: null });
    this.#saveSoon();
    return true;
  }

  async end(id: string, outcome: InvocationOutcome): Promise<InvocationOutcome> {
    const stands = this.#unwritten.end(id, outcome);
    if (stands) {
      this.#saveSoon();
      return stands;
    }
    for (let other = this.#underWay.get(id); other; other = this.#underWay.get(id)) await other;
    const ended = this.#endDurably(id, outcome);
    noteWhile(this.#underWay, id, ended.then(noFailure, asFailure));
    const known = await ended;
    if (!known) throw new SvcError('INTERNAL', `Invocation ${id} ended, but it was never started`);
    return known;
  }

  refused(call: InvocationStart, { code, endedAt }: InvocationOutcome): void {
    if (call.idempotencyKey === null && this.#unwritten.size >= MAX_UNWRITTEN) {
      this.#leftOut++;
      return;
    }
    const freedKey = call.idempotencyKey === null ? undefined : keyOf(call.agentKeyId, call.idempotencyKey);
    const outcome = { code, body: null, endedAt };
    this.#unwritten.put({ ...call, idempotencyKey: null, node: this.#parts.node, outcome }, freedKey);
    if (freedKey === undefined) this.#saveSoon();
    // What fails is tried again at the next time.
    else this.#saveEnded().catch(() => this.#saveSoon());
  }

  async take(ids: readonly string[]): Promise<InvocationRecord[]> {
    const known = ids.map((id) => this.#unwritten.get(id)).filter((record) => record !== undefined);
    const here = known.filter(({ id, outcome }) => !outcome && this.#unwritten.isNew(id));
    const ended = new Set(known.filter(({ outcome }) => outcome).map(({ id }) => id));
    const others = ids.filter((id) => !ended.has(id) && !here.some((record) => record.id === id));
    if (others.length === 0) return here;
    await Promise.all(others.map((id) => this.#underWay.get(id)));
    const rows = await this.#parts.reads.rows<InvocationRow>({ text: TAKE, values: [this.#parts.node, others] });
    return [...here, ...rows.map(toInvocation)];
  }

  async takeAbandoned(): Promise<InvocationRecord[]> {
    const { reads, node, life } = this.#parts;
    if (!life.judges) return [];
    const rows = await reads.transaction(async (client) => {
      // One after the other: whoever comes second must see that the first one lives.
      await client.query(`SELECT pg_advisory_xact_lock(${TAKING})`);
      // A beat of our own, to notice a jump of the clock.
      await life.beat(client);
      if (!life.judges) return [];
      const taken = await client.query<InvocationRow>(TAKE_ABANDONED, [node]);
      await client.query(`DELETE FROM nodes WHERE ${LONG_DEAD}`);
      return taken.rows;
    });
    return rows.map(toInvocation).sort((first, second) => first.startedAt - second.startedAt);
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#ending);
    while (!this.#closing) {
      try {
        return await this.#saveEnded();
      } catch {
        // The groups have told it.
        await this.#groups.nextTry();
      }
    }
  }

  async list(query: ListQuery): Promise<InvocationRecord[]> {
    await this.#saveAll();
    return this.#parts.queries.list(query);
  }

  async lastCalls(agentKeyIds: readonly string[]): Promise<Map<string, number>> {
    await this.#saveAll();
    return this.#parts.queries.lastCalls(agentKeyIds);
  }

  keepDetails(details: InvocationDetails): void {
    this.#details.keep(details);
  }

  async details(id: string): Promise<InvocationDetails | undefined> {
    return this.#details.get(id) ?? this.#parts.queries.details(id);
  }

  async remove(before: number): Promise<number> {
    await Promise.all([this.#saveAll(), this.#details.save()]);
    return this.#parts.queries.remove(before);
  }

  async forgetContent(): Promise<void> {
    await this.#details.save();
    await this.#parts.queries.forgetContent();
  }

  async forgetKeys(before: number): Promise<number> {
    await this.#saveAll();
    return this.#parts.queries.forgetKeys(before);
  }

  /** Rejects when something could not be written: the database has `CLOSE_MS` to come back. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const lastTry = setTimeout(() => {
      this.#closing = true;
      this.#groups.tryNow();
    }, CLOSE_MS);
    try {
      await Promise.allSettled(this.#ending);
      await this.settled();
      await this.#saveAll();
      await this.#details.close();
    } finally {
      clearTimeout(lastTry);
      this.#closing = true;
    }
  }

  async #read(query: { name: string; text: string; values: string[] }): Promise<InvocationRecord | undefined> {
    const [row] = await this.#parts.reads.rows<InvocationRow>(query);
    return row && toInvocation(row);
  }

  /** Again and again until it is written: the handler has run, and nobody else knows what came of it. */
  #endDurably(id: string, outcome: InvocationOutcome): Promise<InvocationOutcome | undefined> {
    const ended = this.#tryToEnd(id, outcome).finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
    return ended;
  }

  async #tryToEnd(id: string, outcome: InvocationOutcome): Promise<InvocationOutcome | undefined> {
    const chars = outcome.body?.length ?? 0;
    for (;;) {
      try {
        return await new Promise((resolve, reject) => this.#groups.add({ op: 'end', id, outcome, chars, resolve, reject }));
      } catch (error) {
        if (this.#closing || !asUnavailable(error)) throw error;
        await this.#groups.nextTry();
      }
    }
  }

  #saveSoon(): void {
    this.#timer ??= setTimeout(() => void this.#saveDue(), SAVE_MS).unref();
  }

  async #saveDue(): Promise<void> {
    this.#timer = undefined;
    try {
      await this.#save(() => this.#unwritten.due());
    } catch {
      // The groups have told it.
      await this.#groups.nextTry();
    }
    if (!this.#closing && this.#unwritten.hasNew) this.#saveSoon();
  }

  /** Keys that were given back wait for it. */
  #saveEnded(): Promise<void> {
    this.#savingEnded ??= this.#save(() => {
      this.#savingEnded = undefined;
      return this.#unwritten.all().filter(({ outcome }) => outcome);
    });
    return this.#savingEnded;
  }

  async #freed(key: string): Promise<void> {
    if (this.#unwritten.frees(key)) await this.#saveEnded();
  }

  async #saveAll(): Promise<void> {
    await this.#groups.tried();
    await this.#save(() => this.#unwritten.all());
  }

  /** One after the other, so that no older version of a record comes after a newer one. */
  #save(due: () => InvocationRecord[]): Promise<void> {
    const save = this.#saving.then(() => this.#write(due()));
    this.#saving = save.catch(() => {});
    return save;
  }

  async #write(records: InvocationRecord[]): Promise<void> {
    // Piece by piece: what callers wait for must not stand behind all that an hour without the database has left.
    for (const piece of inPieces(records)) {
      const failures = await Promise.all(piece.map((record) => this.#book(record)));
      const failure = failures.find((error) => error !== undefined);
      if (failure) throw failure;
    }
    this.#tellLeftOut();
  }

  async #book(record: InvocationRecord): Promise<SvcError | undefined> {
    try {
      await new Promise<void>((resolve, reject) => this.#groups.add({ op: 'book', record, chars: 0, resolve, reject }));
      this.#unwritten.wrote(record);
      return undefined;
    } catch (error) {
      const unavailable = asUnavailable(error);
      if (unavailable) return unavailable;
      // It can never be written: it must not come again and again.
      this.#unwritten.drop(record);
      this.#parts.onError(error);
      return undefined;
    }
  }

  #tellLeftOut(): void {
    if (this.#leftOut === 0) return;
    this.#parts.onError(new Error(`${this.#leftOut} refused calls are missing in the books: the database was away for too long`));
    this.#leftOut = 0;
  }
}

function keyOf(agentKeyId: string, idempotencyKey: string): string {
  return `${agentKeyId} ${idempotencyKey}`;
}

function noFailure(): undefined {}

function asFailure(error: unknown): unknown {
  return error;
}

/** In the map until it has resolved. */
function noteWhile(map: Map<string, Promise<unknown>>, name: string, promise: Promise<unknown>): void {
  map.set(name, promise);
  void promise.then(() => {
    if (map.get(name) === promise) map.delete(name);
  });
}
