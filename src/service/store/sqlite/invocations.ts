/**
 * Invocations on SQLite. What is new stands in memory and in the journal, which makes it durable, and goes into the database in batches, most
 * calls as one finished row: a transaction per event-loop turn would cost more than all the rest of a call.
 */
import { SvcError } from '../../../protocol/errors';
import type { InvocationDetails } from '../console-store';
import { isSaidByHandler } from '../said-by-handler';
import type { ListQuery } from '../sql/invocation-list';
import type { SqlInvocations } from '../sql/invocations';
import type { InvocationOutcome, InvocationRecord, InvocationStart, InvocationStore } from '../store';
import { UnsavedDetails } from '../unsaved-details';
import type { Journal } from './journal';
import type { JournalEntry } from './journal-entry';
import type { RecordReader } from './record-reader';
import type { RecordWriter } from './record-writer';
import { holderText, type SavedKeys } from './saved-keys';

/** Milliseconds that a record waits for its batch at most. */
const SAVE_MS = 100;
/** Until the next try, when the database could not be written. */
const RETRY_MS = 500;
/** Ended records that make a batch before that time. */
const BATCH = 512;

/** A record that the database does not have, or not as it is now. */
interface Unsaved {
  readonly record: InvocationRecord;
  /** `<agent key id> <idempotency key>`, when it holds one. */
  readonly holder: string | undefined;
  /** It was running at the last save: the next one takes it as it is. */
  waited: boolean;
  /** It stands in the journal, and has to until it is saved. */
  readonly journaled: boolean;
}

export interface InvocationDeps {
  /** This node: all calls of these data are its own. */
  node: string;
  queries: SqlInvocations;
  reader: RecordReader;
  writer: RecordWriter;
  /** Undefined for data in memory. */
  journal: Journal | undefined;
  /** Unless given, every key is looked up. */
  savedKeys?: SavedKeys | undefined;
  /** What a former process left in the journal. */
  left: JournalEntry[];
  /** What was unfinished when the data were opened: they have one node at a time, so it is a former one's. */
  abandoned: InvocationRecord[];
  onError: (error: unknown) => void;
}

export class SqliteInvocations implements InvocationStore {
  readonly #node: string;
  readonly #queries: SqlInvocations;
  readonly #reader: RecordReader;
  readonly #writer: RecordWriter;
  readonly #journal: Journal | undefined;
  readonly #savedKeys: SavedKeys | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #unsaved = new Map<string, Unsaved>();
  /** Those that hold an idempotency key, by it. */
  readonly #holders = new Map<string, Unsaved>();
  readonly #details: UnsavedDetails;
  #endedCount = 0;
  #abandoned: InvocationRecord[];
  /** The last entry's. */
  #journaled: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #isSaving = false;
  /** The last batch could not be written: the next try has its time. */
  #failing = false;
  #closed = false;

  constructor({ node, queries, reader, writer, journal, savedKeys, left, abandoned, onError }: InvocationDeps) {
    this.#node = node;
    this.#queries = queries;
    this.#reader = reader;
    this.#writer = writer;
    this.#journal = journal;
    this.#savedKeys = savedKeys;
    this.#abandoned = abandoned;
    this.#onError = onError;
    this.#details = new UnsavedDetails(onError);
    for (const entry of left) this.#apply(entry, true, this.#unsaved.get(idOf(entry)));
  }

  async find(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined> {
    const record = this.#holding(agentKeyId, idempotencyKey);
    return record && this.#own(record);
  }

  async get(id: string): Promise<InvocationRecord | undefined> {
    const record = this.#recordOf(id);
    return record && this.#own(record);
  }

  async start(call: InvocationStart): Promise<boolean> {
    const { agentKeyId, idempotencyKey } = call;
    if (idempotencyKey !== null && this.#holding(agentKeyId, idempotencyKey)) return false;
    await this.#record({ op: 'start', call }, idempotencyKey !== null);
    return true;
  }

  async end(id: string, { code, body, endedAt }: InvocationOutcome): Promise<InvocationOutcome> {
    const record = this.#recordOf(id);
    if (!record) throw new SvcError('INTERNAL', `Invocation ${id} ended, but it was never started`);
    if (record.outcome && !isSaidByHandler(code)) return record.outcome;
    const keyed = record.idempotencyKey !== null;
    const outcome = { code, body: keyed ? body : null, endedAt };
    await this.#record({ op: 'end', id, outcome }, keyed);
    return outcome;
  }

  refused(call: InvocationStart, outcome: InvocationOutcome): void {
    this.#record({ op: 'refused', call, outcome }, call.idempotencyKey !== null).catch(this.#onError);
  }

  async take(ids: readonly string[]): Promise<InvocationRecord[]> {
    const records = await Promise.all(ids.map((id) => this.get(id)));
    return records.filter((record): record is InvocationRecord => record?.outcome === null);
  }

  /** In the order of their starts, as the queries gave them. */
  takeAbandoned(): Promise<InvocationRecord[]> {
    const abandoned = this.#abandoned;
    this.#abandoned = [];
    return this.take(abandoned.map(({ id }) => id));
  }

  async settled(): Promise<void> {
    // Entries come into the journal in their order. Who is told of a failure is whoever wrote it.
    await this.#journaled?.catch(() => {});
  }

  async list(query: ListQuery): Promise<InvocationRecord[]> {
    await this.#saveAll();
    return (await this.#queries.list(query)).map((record) => this.#own(record));
  }

  async lastCalls(agentKeyIds: readonly string[]): Promise<Map<string, number>> {
    await this.#saveAll();
    return this.#queries.lastCalls(agentKeyIds);
  }

  keepDetails(details: InvocationDetails): void {
    this.#details.put(details);
    this.#saveSoon();
  }

  async details(id: string): Promise<InvocationDetails | undefined> {
    return this.#details.get(id) ?? this.#queries.details(id);
  }

  async remove(before: number): Promise<number> {
    await this.save();
    const removed = await this.#queries.remove(before);
    this.#reader.renew();
    return removed;
  }

  async forgetContent(): Promise<void> {
    await this.#saveAll();
    await this.#queries.forgetContent();
  }

  async forgetKeys(before: number): Promise<number> {
    await this.save();
    const forgotten = await this.#queries.forgetKeys(before);
    this.#reader.renew();
    return forgotten;
  }

  /** Brings all that is unsaved now into the database; the journal forgets it, such as keys that the database is about to forget. */
  async save(): Promise<void> {
    await this.#saveAll();
    await this.#restartJournal();
  }

  /** Leaves the journal as it is, which costs less. */
  async #saveAll(): Promise<void> {
    while (this.#isSaving) await this.#saving.catch(() => {});
    await this.#saveRecords([...this.#unsaved.values()]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    try {
      await this.save();
    } finally {
      // What could not be saved is in the journal, for the next process.
      this.#savedKeys?.close();
      await this.#writer.close();
      this.#reader.close();
      await this.#journal?.close();
    }
  }

  /** `durably`: before the promise resolves. A call that nobody can retry goes into the books soon, which is enough. */
  async #record(entry: JournalEntry, durably: boolean): Promise<void> {
    const before = this.#unsaved.get(idOf(entry));
    this.#apply(entry, durably, before);
    if (durably) {
      try {
        this.#journaled = this.#journal?.append(entry);
        await this.#journaled;
      } catch (error) {
        if (before) this.#put(before);
        else this.#drop(idOf(entry));
        throw error;
      }
    }
    if (this.#endedCount >= BATCH && !this.#failing) this.#saveMost();
    this.#saveSoon();
  }

  /** Changes what stands in memory, where it stood as `before`. */
  #apply(entry: JournalEntry, journaled: boolean, before: Unsaved | undefined): void {
    const record = entry.op === 'end' ? this.#ended(entry, before) : recordOf(entry, this.#node);
    // Only a damaged journal ends what it never started.
    if (!record) return;
    this.#put({
      record,
      // A text of its own in each call is dear: an end has that of its start.
      holder: entry.op === 'end' && before ? before.holder : holderOf(record),
      waited: before?.waited ?? false,
      journaled: journaled || (before?.journaled ?? false),
    });
  }

  #ended({ id, outcome }: Extract<JournalEntry, { op: 'end' }>, before: Unsaved | undefined): InvocationRecord | undefined {
    const known = before?.record ?? this.#reader.byId(id);
    return known && { ...known, outcome };
  }

  #put(unsaved: Unsaved): void {
    const { record, holder } = unsaved;
    const before = this.#unsaved.get(record.id);
    if (before?.record.outcome) this.#endedCount--;
    if (before && before.holder !== holder) this.#free(before);
    this.#unsaved.set(record.id, unsaved);
    if (record.outcome) this.#endedCount++;
    if (holder !== undefined) this.#holders.set(holder, unsaved);
  }

  #drop(id: string): void {
    const unsaved = this.#unsaved.get(id);
    if (!unsaved) return;
    this.#unsaved.delete(id);
    if (unsaved.record.outcome) this.#endedCount--;
    this.#free(unsaved);
  }

  #free(unsaved: Unsaved): void {
    const { holder } = unsaved;
    if (holder !== undefined && this.#holders.get(holder) === unsaved) this.#holders.delete(holder);
  }

  #saveSoon(): void {
    if (!this.#closed) this.#timer ??= setTimeout(() => this.#saveMost(), SAVE_MS).unref();
  }

  /** What runs only for a moment is left for the next time, when it is one finished row. */
  #saveMost(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // At its end comes the next time.
    if (this.#isSaving) return;
    const due: Unsaved[] = [];
    for (const unsaved of this.#unsaved.values()) {
      if (unsaved.record.outcome || unsaved.waited) due.push(unsaved);
      unsaved.waited = true;
    }
    this.#saveRecords(due).then(
      () => {
        this.#failing = false;
      },
      (error: unknown) => {
        // Nothing is lost: it stays in memory and in the journal for the next time.
        this.#failing = true;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#saveMost(), RETRY_MS).unref();
        this.#onError(error);
      },
    );
  }

  #saveRecords(due: Unsaved[]): Promise<void> {
    this.#isSaving = true;
    this.#saving = this.#write(due).finally(() => {
      this.#isSaving = false;
      if (this.#unsaved.size > 0 || this.#details.size > 0) this.#saveSoon();
    });
    return this.#saving;
  }

  async #write(due: Unsaved[]): Promise<void> {
    const details = this.#details.all();
    if (due.length === 0 && details.length === 0) return;
    for (const { holder } of due) if (holder !== undefined) this.#savedKeys?.add(holder);
    await this.#writer.write(
      due.map(({ record }) => record),
      details,
    );
    this.#details.saved(details);
    this.#reader.renew();
    this.#savedKeys?.renewIfFull();
    // What has changed meanwhile is to be saved again.
    for (const unsaved of due) if (this.#unsaved.get(unsaved.record.id) === unsaved) this.#drop(unsaved.record.id);
    if (this.#journal?.isLong) await this.#restartJournal();
  }

  async #restartJournal(): Promise<void> {
    await this.#journal?.restart(() => Array.from(this.#unsaved.values(), entriesOf).flat());
  }

  #holding(agentKeyId: string, idempotencyKey: string): InvocationRecord | undefined {
    const holder = holderText(agentKeyId, idempotencyKey);
    const holding = this.#holders.get(holder);
    if (holding) return holding.record;
    if (this.#savedKeys?.mayHold(holder) === false) return undefined;
    const saved = this.#reader.byKey(agentKeyId, idempotencyKey);
    // A record whose newer version is unsaved does not hold the key any more, or it would be a holder.
    return saved && !this.#unsaved.has(saved.id) ? saved : undefined;
  }

  /** The database does not say whose it is: it has one node. */
  #own(record: InvocationRecord): InvocationRecord {
    return { ...record, node: this.#node };
  }

  #recordOf(id: string): InvocationRecord | undefined {
    return this.#unsaved.get(id)?.record ?? this.#reader.byId(id);
  }
}

function recordOf(entry: Exclude<JournalEntry, { op: 'end' }>, node: string): InvocationRecord {
  if (entry.op === 'start') return { ...entry.call, node, outcome: null };
  return { ...entry.call, idempotencyKey: null, node, outcome: { ...entry.outcome, body: null } };
}

function entriesOf({ record: { outcome, node: _, ...call }, journaled }: Unsaved): JournalEntry[] {
  if (!journaled) return [];
  if (!outcome) return [{ op: 'start', call }];
  if (call.idempotencyKey === null) return [{ op: 'refused', call, outcome }];
  return [
    { op: 'start', call },
    { op: 'end', id: call.id, outcome },
  ];
}

function idOf(entry: JournalEntry): string {
  return entry.op === 'end' ? entry.id : entry.call.id;
}

function holderOf({ agentKeyId, idempotencyKey }: InvocationRecord): string | undefined {
  return idempotencyKey === null ? undefined : holderText(agentKeyId, idempotencyKey);
}
