import { SvcError } from '#sdk/protocol/errors';
import type { Settle } from './settlement';
import { type LedgerWebhook, webhookSettle } from './webhook';

export interface SettlementSettings {
  settle: Settle;
  /** A text for the settings page. */
  shown: string;
}

/** @throws SvcError INVALID_REQUEST */
export function readSettlement({
  settle,
  ledgerWebhook,
}: {
  settle?: Settle | undefined;
  ledgerWebhook?: LedgerWebhook | undefined;
}): SettlementSettings | undefined {
  if (settle && ledgerWebhook)
    throw new SvcError('INVALID_REQUEST', 'Give either settle or ledgerWebhook: one of them accepts the entries of the ledger');
  if (settle) return { settle, shown: 'by this program' };
  if (!ledgerWebhook) return undefined;
  const webhook = webhookSettle(ledgerWebhook);
  return { settle: webhook.settle, shown: `webhook at ${webhook.host}` };
}
