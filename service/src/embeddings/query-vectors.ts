/**
 * Finds the vectors of queries. Vectors are cached, concurrent searches for one query share one request, and a circuit breaker stops
 * requests while the server misses the deadline.
 *
 * Units:  `deadlineMs` in milliseconds, counted from the first request for the query.
 * Errors: none. Without a vector in time, a search ranks by words alone.
 */
import { LRUCache } from 'lru-cache';
import { cutText } from './action-text';
import { CircuitBreaker } from './circuit-breaker';
import type { Direction } from './directions';
import { EmbeddingFailure } from './embedding-failure';

/** A vector of 1,536 dimensions is 1.5 kB. */
const MAX_CACHED = 2_000;
/** Concurrent requests to the server. Above the limit, a search ranks by words alone. */
const MAX_REQUESTS = 32;

export interface QueryVectorsDeps {
  /** May take longer than the deadline: a late vector is cached. Rejects with EmbeddingFailure. */
  embed(text: string): Promise<Direction>;
  deadlineMs: number;
  onFailure(failure: EmbeddingFailure): void;
}

export class QueryVectors {
  readonly #deps: QueryVectorsDeps;
  readonly #cached = new LRUCache<string, Direction>({ max: MAX_CACHED });
  /** Text -> its vector. Each promise settles at the deadline at the latest; its entry stays until the server answers. */
  readonly #asked = new Map<string, Promise<Direction | undefined>>();
  readonly #breaker = new CircuitBreaker();

  constructor(deps: QueryVectorsDeps) {
    this.#deps = deps;
  }

  /** Undefined without a vector in time. */
  async find(query: string): Promise<Direction | undefined> {
    const text = cutText(query);
    const known = this.#cached.get(text) ?? this.#asked.get(text);
    if (known !== undefined) return known;
    if (this.#asked.size >= MAX_REQUESTS) return undefined;
    const circuit = this.#breaker.stateForNextRequest();
    if (circuit === 'open') return undefined;
    const answer = this.#ask(text);
    return circuit === 'half-open' ? undefined : answer;
  }

  #ask(text: string): Promise<Direction | undefined> {
    const { deadlineMs, embed } = this.#deps;
    const answer = new Promise<Direction | undefined>((resolve) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        this.#failed(new EmbeddingFailure('LATE', { said: `not within ${deadlineMs} ms` }));
        resolve(undefined);
      }, deadlineMs);
      const arrived = (direction: Direction) => {
        this.#cached.set(text, direction);
        if (!late) this.#breaker.succeeded();
        resolve(direction);
      };
      const missed = (failure: EmbeddingFailure) => {
        if (!late) this.#failed(failure);
        resolve(undefined);
      };
      embed(text)
        .then(arrived, missed)
        .finally(() => {
          clearTimeout(timer);
          this.#asked.delete(text);
        });
    });
    this.#asked.set(text, answer);
    return answer;
  }

  #failed(failure: EmbeddingFailure): void {
    // A text that the server refuses must not stop requests for other queries.
    if (failure.kind !== 'TEXTS_REFUSED') this.#breaker.failed();
    this.#deps.onFailure(failure);
  }
}
