/**
 * The vectors of all actions: in memory for searches, and stored. A vector is made again only when the text of its action changed.
 *
 * Shape:  a vector is stored with a fingerprint of model, dimensions and text; a vector with another fingerprint counts as missing.
 */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { SearchDocument } from '../catalog/search/index';
import type { RankingOptions } from '../catalog/search/search-index';
import type { VectorRecord, VectorStore } from '../store/store';
import { actionText } from './action-text';
import { type Direction, requireSize } from './directions';
import type { Embedder } from './embedder';
import type { EmbeddingCalls } from './embedding-calls';
import type { EmbeddingFailure } from './embedding-failure';
import { EmbeddingQueue } from './embedding-queue';
import { VectorIndex } from './vector-index';

/** A small machine without a graphics card takes seconds for a batch. */
const CALL_TIMEOUT_MS = 60_000;
/** A page takes a few milliseconds to read. */
const RECORDS_PER_PAGE = 250;
/** A share of all actions. With more actions waiting, those that have a vector would rank higher for that reason alone. */
const MOST_WAITING = 0.1;

export interface ActionVectorsDeps {
  embedder: Embedder;
  calls: EmbeddingCalls;
  store: VectorStore;
  /** The current action; undefined when it was removed. */
  document: (id: string) => SearchDocument | undefined;
  onFailure: (failure: EmbeddingFailure) => void;
}

export class ActionVectors {
  readonly #deps: ActionVectorsDeps;
  readonly #index = new VectorIndex();
  readonly #queue: EmbeddingQueue;
  /** Fingerprints of the index, by action id. */
  readonly #fingerprints = new Map<string, string>();

  constructor(deps: ActionVectorsDeps) {
    this.#deps = deps;
    this.#queue = new EmbeddingQueue({
      limits: () => deps.embedder.limits(),
      work: (ids) => this.#bringUpToDate(ids),
      onFailure: deps.onFailure,
    });
  }

  /** Whether nearly all actions have a vector, so that ranks are comparable. */
  get ready(): boolean {
    const { waiting } = this.#queue;
    return this.#index.size > 0 && waiting <= MOST_WAITING * (this.#index.size + waiting);
  }

  get dimensions(): number | undefined {
    return this.#index.dimensions;
  }

  /** Call this for every new, changed or removed action. */
  changed(id: string): void {
    if (this.#deps.document(id) === undefined) {
      this.#index.remove(id);
      this.#fingerprints.delete(id);
    }
    this.#queue.add(id);
  }

  /** Works until `close`. Rejects when the store fails. */
  async run(): Promise<void> {
    await this.#load();
    await this.#queue.run();
  }

  close(): void {
    this.#queue.close();
  }

  /** Undefined for an action without a vector. */
  cosine(id: string, direction: Direction): number | undefined {
    return this.#index.cosine(id, direction);
  }

  /** Ids of actions, nearest first. */
  search(direction: Direction, options: RankingOptions): string[] {
    return this.#index.search(direction, options);
  }

  async #load(): Promise<void> {
    for (let after = ''; ; ) {
      const records = await this.#deps.store.page({ after, limit: RECORDS_PER_PAGE });
      for (const record of records) this.#take(record);
      const last = records.at(-1);
      if (last === undefined) return;
      after = last.actionId;
      await setImmediate();
    }
  }

  #take({ actionId, fingerprint, vector }: VectorRecord): void {
    const now = this.#textOf(actionId);
    // The queue deletes the vectors of removed actions from the store.
    if (now === undefined) this.#queue.add(actionId);
    else if (now.fingerprint === fingerprint) {
      this.#set({ actionId, fingerprint, vector });
      this.#queue.delete(actionId);
    }
  }

  async #bringUpToDate(ids: readonly string[]): Promise<void> {
    const { calls, store, document } = this.#deps;
    const gone = ids.filter((id) => document(id) === undefined);
    const changed = ids.flatMap((id) => {
      const now = this.#textOf(id);
      return now === undefined || now.fingerprint === this.#fingerprints.get(id) ? [] : [{ id, ...now }];
    });
    if (gone.length > 0) await store.remove(gone);
    if (changed.length === 0) return;

    const texts = changed.map(({ text }) => text);
    const directions = await calls.embed(texts, { timeoutMs: CALL_TIMEOUT_MS, dimensions: this.dimensions });
    // The first batches run concurrently, before the size of a vector is known.
    requireSize(directions, this.dimensions ?? directions[0]?.length);
    const records = changed.map(({ id, fingerprint }, place) => ({ actionId: id, fingerprint, vector: directions[place] as Direction }));
    // Actions that changed meanwhile are in the queue again.
    const current = records.filter(({ actionId, fingerprint }) => this.#textOf(actionId)?.fingerprint === fingerprint);
    for (const record of current) this.#set(record);
    await store.put(current);
  }

  #set({ actionId, fingerprint, vector }: VectorRecord): void {
    this.#index.set(actionId, vector);
    this.#fingerprints.set(actionId, fingerprint);
  }

  #textOf(id: string): { text: string; fingerprint: string } | undefined {
    const document = this.#deps.document(id);
    if (document === undefined) return undefined;
    const text = actionText(document);
    return { text, fingerprint: this.#fingerprint(text) };
  }

  #fingerprint(text: string): string {
    const { model, dimensions = null } = this.#deps.embedder;
    return createHash('sha256')
      .update(JSON.stringify([model, dimensions, text]))
      .digest('base64url');
  }
}
