import { SvcError } from '#sdk/protocol/errors';
import type { LedgerStore } from '../store/store';

const CURRENCY = /^[A-Za-z][A-Za-z0-9]{0,15}$/;

/** @throws SvcError INVALID_REQUEST */
export function readCurrency(currency = 'USD'): string {
  if (CURRENCY.test(currency)) return currency;
  const message = `currency must be a letter and at most 15 letters and digits behind it, such as USD or credits, not "${currency.slice(0, 100)}"`;
  throw new SvcError('INVALID_REQUEST', message);
}

/** Rejects with INVALID_REQUEST when the ledger has another currency: its amounts cannot be added up with new ones. */
export async function requireLedgerCurrency(ledger: Pick<LedgerStore, 'currency'>, currency: string): Promise<void> {
  const booked = await ledger.currency();
  if (booked === undefined || booked === currency) return;
  const message = `The ledger of these data is in ${booked}, and the service would run in ${currency}: start it with --currency ${booked} (createService({ currency })), or on other data`;
  throw new SvcError('INVALID_REQUEST', message);
}
