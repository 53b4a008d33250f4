/**
 * Search by words and by meaning: the lexical ranking of the catalogue and the nearness of vectors, fused. A search is always answered: by words
 * alone when there is no vector in time.
 */
import type { Catalog } from '../catalog/catalog';
import { type Explanation, MAX_ABOVE, type SearchDocument } from '../catalog/search/index';
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
import { fuseByReciprocalRank } from './reciprocal-ranks';

/** How far down each ranking counts. */
const DEPTH = 100;
/** A vector after the deadline is still useful: the next search with this query finds it. */
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

  /** Begins to work in the background at once; the catalogue must have been loaded. */
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

  /** Action ids, best first. `accept` is asked before any ranking is cut. */
  async search(query: string, options: Required<RankingOptions>): Promise<string[]> {
    const vector = await this.#vectorOf(query);
    if (vector === undefined) return this.#catalog.search(query, options);
    return this.#rank(query, vector, options).fused.slice(0, options.limit);
  }

  /** As the catalogue explains it, in the order that `search` gives. Rejects with ACTION_NOT_FOUND. */
  async explain(query: string, id: string, options: Required<RankingOptions>): Promise<Explanation> {
    const vector = await this.#vectorOf(query);
    const explanation = this.#catalog.explain(query, id, options);
    if (vector === undefined) return explanation;
    const { fused, nearest } = this.#rank(query, vector, options);
    const [place, meaning] = [fused.indexOf(id), nearest.indexOf(id)];
    const { rank } = explanation;
    return {
      ...explanation,
      // Behind both rankings there are words alone.
      rank: place >= 0 ? place + 1 : rank && Math.max(rank, fused.length + 1),
      ...(meaning >= 0 && { meaning: meaning + 1 }),
      above: fused.slice(0, place >= 0 ? Math.min(place, MAX_ABOVE) : MAX_ABOVE).map((action) => ({ action })),
    };
  }

  /** Undefined when words have to do alone. */
  async #vectorOf(query: string): Promise<Direction | undefined> {
    const vector = squeeze(query) !== '' && this.#actions.ready ? await this.#queries.find(query) : undefined;
    return vector?.length === this.#actions.dimensions ? vector : undefined;
  }

  #rank(query: string, vector: Direction, { limit, accept }: Required<RankingOptions>): { fused: string[]; nearest: string[] } {
    const deep = { accept, limit: Math.max(DEPTH, limit) };
    const lexical = this.#catalog.search(query, deep);
    const nearest = this.#actions.search(vector, deep);
    // A query that is a name means the thing with that name.
    const named = this.#named(lexical, squeeze(query));
    return { fused: [...new Set([...named, ...fuseByReciprocalRank([lexical, nearest])])], nearest };
  }

  /** Resolves when nothing is written any more. */
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

  /** Those with which the lexical ranking begins: behind what agents used, a name is one word among others. */
  #named(lexical: readonly string[], squeezed: string): string[] {
    const others = lexical.findIndex((id) => !namesOf(this.#catalog.document(id)).includes(squeezed));
    return lexical.slice(0, others === -1 ? lexical.length : others);
  }
}

function namesOf(document: SearchDocument | undefined): string[] {
  return document ? [document.id, document.name, document.toolkitId, document.toolkitName].map(squeeze) : [];
}
