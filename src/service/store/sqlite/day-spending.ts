/**
 * The sums that each key has charged and held in a UTC day. Only this process writes the ledger, so it counts in memory. The table has the same
 * sums once all calls are saved.
 *
 * Shape:  agent key id and day -> millionths. Yesterday and today only: no call holds a budget of an earlier day.
 */
import type { SvcError } from '../../../protocol/errors';
import { utcDay } from '../../lib/utc-day';
import { overBudget } from '../over-budget';
import type { InvocationStart, Spent } from '../store';

type Start = Pick<InvocationStart, 'agentKeyId' | 'action' | 'startedAt' | 'hold'>;

export class DaySpending {
  readonly #days = new Map<number, Map<string, Spent>>();

  /** Adds the sums of the ledger. */
  load(day: number, agentKeyId: string, { charged, held }: Spent): void {
    const spent = this.#of(day, agentKeyId);
    spent.charged += charged;
    spent.held += held;
  }

  /** Holds the amount of a paid call; PAYMENT_REQUIRED when the budget does not cover it. */
  hold(call: Start): SvcError | undefined {
    const { agentKeyId, startedAt, hold } = call;
    if (!hold) return undefined;
    const spent = this.#of(utcDay(startedAt), agentKeyId);
    const refusal = overBudget(call, hold, spent);
    if (!refusal) spent.held += hold.amount;
    return refusal;
  }

  /** Charges at most what the call holds, and releases the rest. Call it once for each hold. */
  book({ agentKeyId, startedAt, hold }: Start, charged: bigint): void {
    const spent = this.#days.get(utcDay(startedAt))?.get(agentKeyId);
    if (!hold || !spent) return;
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
