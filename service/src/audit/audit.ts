/**
 * The audit log: author and subject of each change.
 *
 * Shape:  ids sort by time. Details explain the change to a person and never hold a secret.
 * Errors: rejects as the store does: a change without an audit entry is answered with an error.
 */
import { randomBytes } from 'node:crypto';
import type { Actor, AuditEntry } from '#sdk/protocol/admin';
import type { AuditStore } from '../store/console-store';

/** Milliseconds since the epoch in base 36: nine digits until the year 5188. */
const TIME_DIGITS = 9;
/** Orders the entries of one millisecond on one node. */
const ORDER_DIGITS = 4;

export class Audit {
  readonly #store: AuditStore;
  #lastAt = 0;
  #order = 0;

  constructor(store: AuditStore) {
    this.#store = store;
  }

  async write(actor: Actor, what: AuditEntry['what'], subject: string, details: AuditEntry['details']): Promise<void> {
    const at = Date.now();
    await this.#store.insert({ id: this.#newId(at), at, actor, what, subject, details });
  }

  #newId(at: number): string {
    this.#order = at === this.#lastAt ? this.#order + 1 : 0;
    this.#lastAt = at;
    const order = this.#order.toString(36).padStart(ORDER_DIGITS, '0');
    return `aud_${at.toString(36).padStart(TIME_DIGITS, '0')}${order}${randomBytes(8).toString('hex')}`;
  }
}
