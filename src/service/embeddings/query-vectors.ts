/**
 * The vectors of queries, as long as they come in time: remembered, asked for once when many ask at once, and not asked for at all while the
 * server does not keep the deadline.
 *
 * Units:  `deadlineMs` in milliseconds, counted from when the query was first asked.
 * Errors: none: without a vector a search goes on by words alone.
 */
import { cutText } from './action-text';
import { CircuitBreaker } from './circuit-breaker';
import type { Direction } from './directions';
import { EmbeddingFailure } from './embedding-failure';
import { Recent } from './recent';

/** 1.5 kB each in 1,536 dimensions. */
const REMEMBERED = 2_000;
/** Maximum of parallel requests to the server. */
const MOST_ASKED = 32;

export interface QueryVectorsDeps {
  /** May take longer than the deadline: what comes late is remembered. Rejects with EmbeddingFailure. */
  embed(text: string): Promise<Direction>;
  deadlineMs: number;
  onFailure(failure: EmbeddingFailure): void;
}

export class QueryVectors {
  readonly #parts: QueryVectorsDeps;
  readonly #remembered = new Recent<Direction>(REMEMBERED);
  /** Pending queries by text: each settles at the deadline at the latest, and stays until the answer arrives. */
  readonly #asked = new Map<string, Promise<Direction | undefined>>();
  readonly #breaker = new CircuitBreaker();

  constructor(deps: QueryVectorsDeps) {
    this.#parts = deps;
  }

  /** Undefined when there is none in time. */
  async find(query: string): Promise<Direction | undefined> {
    const text = cutText(query);
    const known = this.#remembered.get(text) ?? this.#asked.get(text);
    if (known !== undefined) return known;
    if (this.#asked.size >= MOST_ASKED) return undefined;
    const circuit = this.#breaker.stateForNextRequest();
    if (circuit === 'open') return undefined;
    const answer = this.#ask(text);
    return circuit === 'half-open' ? undefined : answer;
  }

  #ask(text: string): Promise<Direction | undefined> {
    const { deadlineMs, embed } = this.#parts;
    const answer = new Promise<Direction | undefined>((resolve) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        this.#failed(new EmbeddingFailure('LATE', { said: `not within ${deadlineMs} ms` }));
        resolve(undefined);
      }, deadlineMs);
      const arrived = (direction: Direction) => {
        this.#remembered.set(text, direction);
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
    // Somebody's odd query must not cost others their vectors.
    if (failure.kind !== 'TEXTS_REFUSED') this.#breaker.failed();
    this.#parts.onFailure(failure);
  }
}
