/**
 * Holds the prices of paid calls and books their charges. Only this process writes the ledger, so it counts in memory what each key has charged
 * and held in a UTC day. The table has the same sums once all calls are saved.
 *
 * Shape:  agent key id and day -> millionths. Yesterday and today only: no call holds a budget of an earlier day.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { SvcError } from '#sdk/protocol/errors';
import { utcDay } from '../../lib/utc-day';
import { overBudget } from '../over-budget';
import type { InvocationRecord, InvocationStart, Spent } from '../store';

export class HeldPrices {
  readonly #days = new Map<number, Map<string, Spent>>();

  /** Adds the sums of the ledger. */
  load(day: number, agentKeyId: string, { charged, held }: Spent): void {
    const spent = this.#of(day, agentKeyId);
    spent.charged += charged;
    spent.held += held;
  }

  /** Holds the price of a paid call; PAYMENT_REQUIRED when the budget of the day does not cover it. */
  holdPrice(call: InvocationStart): SvcError | undefined {
    const { agentKeyId, startedAt, hold } = call;
    if (!hold) return undefined;
    const spent = this.#of(utcDay(startedAt), agentKeyId);
    const refusal = overBudget(call, hold, spent);
    if (!refusal) spent.held += hold.amount;
    return refusal;
  }

  /**
   * Charges what a paid call cost, and releases the rest of its price.
   *
   * @param record as it was before: a call is charged once
   * @param charged in millionths; 0n releases all of the price. Undefined: the price stays held
   */
  bookCharge({ agentKeyId, startedAt, hold, outcome }: InvocationRecord, charged: bigint | undefined): void {
    if (!hold || charged === undefined || outcome?.charged !== undefined) return;
    const spent = this.#days.get(utcDay(startedAt))?.get(agentKeyId);
    if (!spent) return;
    spent.held -= hold.amount;
    spent.charged += charged;
  }

  #of(day: number, agentKeyId: string): Spent {
    const keys = this.#keysOf(day);
    let spent = keys.get(agentKeyId);
    if (!spent) {
      spent = { charged: 0n, held: 0n };
      keys.set(agentKeyId, spent);
    }
    return spent;
  }

  #keysOf(day: number): Map<string, Spent> {
    let keys = this.#days.get(day);
    if (!keys) {
      for (const former of this.#days.keys()) if (former < day - 1) this.#days.delete(former);
      keys = new Map();
      this.#days.set(day, keys);
    }
    return keys;
  }
}

/** The sums of the days whose budgets calls may hold. */
export function heldPricesIn(database: DatabaseSync): HeldPrices {
  const prices = new HeldPrices();
  const sums = database.prepare(`
    SELECT agent_key_id, day, CAST(sum(coalesce(charged, 0)) AS TEXT) AS charged,
      CAST(sum(CASE WHEN charged IS NULL THEN authorised ELSE 0 END) AS TEXT) AS held
    FROM ledger WHERE day >= ? GROUP BY day, agent_key_id ORDER BY day`);
  const rows = sums.all(utcDay(Date.now()) - 1) as { agent_key_id: string; day: number; charged: string; held: string }[];
  for (const { agent_key_id, day, charged, held } of rows) prices.load(day, agent_key_id, { charged: BigInt(charged), held: BigInt(held) });
  return prices;
}
