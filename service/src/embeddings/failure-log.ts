import type { Logger } from '../lib/logger';
import type { EmbeddingFailure } from './embedding-failure';

const REPEAT_MS = 60 * 60 * 1000;

/** Logs failures for the operator: each kind when it first occurs, and once an hour while it continues. */
export class FailureLog {
  readonly #logger: Logger;
  readonly #warnedAt = new Map<string, number>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  ofActions({ kind, message, details }: EmbeddingFailure): void {
    this.#warn(`actions ${kind}`, { kind, ...details }, `cannot embed actions, which are found by words alone: ${message}`);
  }

  /** The failure without the server's answer, which may quote the query. */
  ofQuery({ kind, message, details: { status } }: EmbeddingFailure): void {
    this.#warn(`query ${kind}`, { kind, status }, `cannot embed a query, its search ranks by words alone: ${message}`);
  }

  #warn(what: string, fields: object, message: string): void {
    const warnedAt = this.#warnedAt.get(what);
    if (warnedAt !== undefined && performance.now() - warnedAt < REPEAT_MS) return;
    this.#warnedAt.set(what, performance.now());
    this.#logger.warn(fields, message);
  }
}
