/**
 * Calls in the store, on any engine. The engine's claims decide which call holds a key and which outcome is final; `call-buffer.ts` commits and
 * saves. Lists and counts are read from the tables, after everything earlier was saved.
 */
import type { SvcError } from '#sdk/protocol/errors';
import type { CallBuffer } from './call-buffer';
import type { CallClaims, CallEngine, CallQueries, KeyedCall } from './call-engine';
import { promised } from './callbacks';
import type { CallerQuery, ToolkitCallerSums } from './caller-store';
import type { InvocationDetails } from './console-store';
import type { ListQuery } from './sql/invocation-list';
import type {
  Callback,
  ForgottenResults,
  InvocationOutcome,
  InvocationRecord,
  InvocationStart,
  InvocationStore,
  ResultSum,
  ResultsToForget,
  ToolkitErrorCount,
} from './store';

/** Time that a closing node waits for an unavailable database. */
const CLOSE_MS = 5_000;

export interface BufferedInvocationsDeps {
  engine: CallEngine;
  buffer: CallBuffer;
  claims: CallClaims;
  queries: CallQueries;
}

export class BufferedInvocations implements InvocationStore {
  readonly #engine: CallEngine;
  readonly #buffer: CallBuffer;
  readonly #claims: CallClaims;
  readonly #queries: CallQueries;

  constructor({ engine, buffer, claims, queries }: BufferedInvocationsDeps) {
    this.#engine = engine;
    this.#buffer = buffer;
    this.#claims = claims;
    this.#queries = queries;
  }

  fault(): SvcError | undefined {
    return this.#buffer.fault();
  }

  find(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined> {
    return this.#claims.find(agentKeyId, idempotencyKey);
  }

  async get(id: string): Promise<InvocationRecord | undefined> {
    await this.#claims.decided(id);
    return this.#buffer.calls.get(id)?.record ?? this.#engine.byId(id);
  }

  start(call: InvocationStart): Promise<boolean>;
  start(call: InvocationStart, done: Callback<boolean>): void;
  start(call: InvocationStart, done?: Callback<boolean>): Promise<boolean> | undefined {
    if (!done) return promised((then) => this.start(call, then));
    if (isKeyed(call)) this.#claims.claim(call, done);
    else this.#buffer.startUnkeyed(call, done);
    return undefined;
  }

  end(id: string, outcome: InvocationOutcome): Promise<InvocationOutcome>;
  end(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void;
  end(id: string, outcome: InvocationOutcome, done?: Callback<InvocationOutcome>): Promise<InvocationOutcome> | undefined {
    if (!done) return promised((then) => this.#claims.end(id, outcome, then));
    this.#claims.end(id, outcome, done);
    return undefined;
  }

  refused(call: InvocationStart, outcome: InvocationOutcome): void {
    this.#claims.refuse(call, outcome);
  }

  release(id: string): Promise<void> {
    return this.#claims.release(id);
  }

  async take(ids: readonly string[]): Promise<InvocationRecord[]> {
    await Promise.all(ids.map((id) => this.#claims.decided(id)));
    const known = ids.map((id) => this.#buffer.calls.get(id)).filter((call) => call !== undefined);
    // Another node may have taken over a call that this node has saved.
    const decided = known.filter(({ record, isSaved }) => record.outcome || !isSaved);
    const taken = decided.map(({ record }) => record).filter(({ outcome }) => !outcome);
    const others = ids.filter((id) => !decided.some(({ record }) => record.id === id));
    return others.length === 0 ? taken : [...taken, ...(await this.#engine.take(others))];
  }

  async takeAbandoned(): Promise<InvocationRecord[]> {
    this.#buffer.groups.check();
    const abandoned = await this.#engine.takeAbandoned();
    return abandoned.filter(({ id }) => !this.#buffer.calls.get(id)?.record.outcome);
  }

  async open(before: number): Promise<InvocationRecord[]> {
    const { calls } = this.#buffer;
    return (await this.#engine.open(before)).filter(({ id }) => !calls.get(id) && !calls.isFreeing(id));
  }

  settled(): Promise<void> {
    return this.#claims.settled();
  }

  /** Resolves when the tables have every earlier call. */
  saved(): Promise<void> {
    return this.#buffer.batches.saveAll();
  }

  async list(query: ListQuery): Promise<InvocationRecord[]> {
    await this.saved();
    return this.#queries.list(query);
  }

  async callers(query: CallerQuery): Promise<ToolkitCallerSums> {
    await this.saved();
    return this.#queries.callers(query);
  }

  async lastCalls(agentKeyIds: readonly string[]): Promise<Map<string, number>> {
    await this.saved();
    return this.#queries.lastCalls(agentKeyIds);
  }

  keepDetails(details: InvocationDetails): void {
    this.#buffer.batches.details.put(details);
    this.#buffer.batches.saveSoon();
  }

  async details(id: string): Promise<InvocationDetails | undefined> {
    return this.#buffer.batches.details.get(id) ?? this.#queries.details(id);
  }

  async payloads(ids: readonly string[]): Promise<Map<string, string>> {
    await this.saved();
    return this.#queries.payloads(ids);
  }

  async results(ids: readonly string[]): Promise<Map<string, string>> {
    await this.saved();
    return this.#queries.results(ids);
  }

  async toolkitErrors(toolkitId: string, from: number): Promise<ToolkitErrorCount[]> {
    await this.saved();
    return this.#queries.toolkitErrors(toolkitId, from);
  }

  remove(before: number): Promise<number> {
    return this.#changeRows(() => this.#queries.remove(before));
  }

  forgetContent(): Promise<void> {
    return this.#changeRows(() => this.#queries.forgetContent());
  }

  forgetKeys(before: number): Promise<number> {
    return this.#changeRows(() => this.#queries.forgetKeys(before));
  }

  async keptResults(agentKeyId: string): Promise<ResultSum> {
    await this.saved();
    return this.#queries.keptResults(agentKeyId);
  }

  forgetResults(agentKeyId: string, results: ResultsToForget): Promise<ForgottenResults> {
    return this.#changeRows(() => this.#queries.forgetResults(agentKeyId, results));
  }

  /** Rejects when a record could not be saved within `CLOSE_MS`. The next process reads what the journal holds. */
  async close(): Promise<void> {
    const { batches, groups } = this.#buffer;
    batches.close();
    const lastTry = setTimeout(() => this.#claims.giveUp(), CLOSE_MS);
    try {
      await this.settled();
      groups.close();
      await batches.saveAll();
      await batches.restartJournal();
    } finally {
      clearTimeout(lastTry);
      this.#claims.giveUp();
      await this.#engine.close();
    }
  }

  /** Saves everything and restarts the journal before rows are changed, so that the journal does not restore what the change removes. */
  async #changeRows<T>(change: () => Promise<T>): Promise<T> {
    await this.saved();
    await this.#buffer.batches.restartJournal();
    const changed = await change();
    this.#buffer.calls.dropSaved();
    this.#engine.rowsChanged();
    return changed;
  }
}

function isKeyed(call: InvocationStart): call is KeyedCall {
  return call.idempotencyKey !== null;
}
