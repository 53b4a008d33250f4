/**
 * Search by words and by meaning: vectors add candidates to the second stage of the ranking, and their cosine is a feature there. Without a
 * vector in time, a search ranks by words alone.
 */
import type { Catalog } from '../catalog/catalog';
import type { Explanation, Meaning } from '../catalog/search/index';
import type { RankingOptions } from '../catalog/search/search-index';
import { squeeze } from '../catalog/search/tokenize';
import type { Logger } from '../lib/logger';
import type { VectorStore } from '../store/store';
import { ActionVectors } from './action-vectors';
import type { Direction } from './directions';
import { EmbeddingCalls } from './embedding-calls';
import type { EmbeddingFailure } from './embedding-failure';
import { FailureLog } from './failure-log';
import type { EmbeddingsSettings } from './options';
import { QueryVectors } from './query-vectors';

/** So many nearest actions become candidates of the second stage even if no word matches. */
export const NEAREST = 40;
/** Longer than the deadline: a late vector is cached for the next search with this query. */
const QUERY_TIMEOUT_MS = 10_000;

export interface EmbeddingsDeps {
  catalog: Pick<Catalog, 'search' | 'explain' | 'document' | 'actionIds' | 'onChange'>;
  store: VectorStore;
  logger: Logger;
}

export class Embeddings {
  readonly #catalog: EmbeddingsDeps['catalog'];
  readonly #calls: EmbeddingCalls;
  readonly #actions: ActionVectors;
  readonly #queries: QueryVectors;
  readonly #working: Promise<void>;
  #closed = false;

  /** Starts its background work. The catalogue must be loaded. */
  constructor({ catalog, store, logger }: EmbeddingsDeps, { embedder, deadlineMs }: EmbeddingsSettings) {
    const failures = new FailureLog(logger);
    const unlessClosed = (report: (failure: EmbeddingFailure) => void) => (failure: EmbeddingFailure) => {
      if (!this.#closed) report(failure);
    };
    this.#catalog = catalog;
    this.#calls = new EmbeddingCalls(embedder);
    this.#actions = new ActionVectors({
      embedder,
      calls: this.#calls,
      store,
      document: (id) => catalog.document(id),
      onFailure: unlessClosed((failure) => failures.ofActions(failure)),
    });
    this.#queries = new QueryVectors({
      embed: (text) => this.#embedQuery(text),
      deadlineMs,
      onFailure: unlessClosed((failure) => failures.ofQuery(failure)),
    });
    catalog.onChange((id) => this.#actions.changed(id));
    for (const id of catalog.actionIds()) this.#actions.changed(id);
    this.#working = this.#actions.run().catch((error: unknown) => {
      logger.error({ error }, 'no more actions are embedded until the service restarts');
    });
  }

  /** Action ids, best first. `accept` filters before any ranking is cut to its limit. */
  async search(query: string, options: Required<RankingOptions>): Promise<string[]> {
    return this.#catalog.search(query, { ...options, meaning: await this.#meaningOf(query, options) });
  }

  /** The catalogue's explanation of an action's rank in `search`. Rejects with ACTION_NOT_FOUND. */
  async explain(query: string, id: string, options: Required<RankingOptions>): Promise<Explanation> {
    const meaning = await this.#meaningOf(query, options);
    const explanation = this.#catalog.explain(query, id, { ...options, meaning });
    const place = meaning?.nearest.indexOf(id) ?? -1;
    return place === -1 ? explanation : { ...explanation, meaning: place + 1 };
  }

  async #meaningOf(query: string, { accept }: Required<RankingOptions>): Promise<Meaning | undefined> {
    const vector = await this.#vectorOf(query);
    if (vector === undefined) return undefined;
    const nearest = this.#actions.search(vector, { limit: NEAREST, accept });
    return { nearest, cosine: (id) => this.#actions.cosine(id, vector) };
  }

  /** Undefined when the search ranks by words alone. */
  async #vectorOf(query: string): Promise<Direction | undefined> {
    const vector = squeeze(query) !== '' && this.#actions.ready ? await this.#queries.find(query) : undefined;
    return vector?.length === this.#actions.dimensions ? vector : undefined;
  }

  /** Resolves after the last write. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#actions.close();
    this.#calls.close();
    await this.#working;
  }

  async #embedQuery(text: string): Promise<Direction> {
    const [direction] = await this.#calls.embed([text], { timeoutMs: QUERY_TIMEOUT_MS, dimensions: this.#actions.dimensions });
    return direction as Direction;
  }
}
