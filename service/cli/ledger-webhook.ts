/** The flag of `svc-service serve` for the webhook of the ledger. The secret has no flag: other users can read a command line. */
import { type Command, Option } from 'commander';
import type { LedgerWebhook } from 'svc-service';
import { notEmpty } from '#sdk/cli/options';
import { UsageError } from '#sdk/cli/usage-error';

export interface LedgerWebhookFlags {
  ledgerWebhook?: string;
}

export function addLedgerWebhookFlag(command: Command): Command {
  return command.addOption(
    new Option('--ledger-webhook <url>', 'send every charged call there, in order, signed with the variable SVC_LEDGER_WEBHOOK_SECRET')
      .env('SVC_LEDGER_WEBHOOK')
      .argParser(notEmpty('SVC_LEDGER_WEBHOOK')),
  );
}

/** Undefined without the flag. Throws UsageError if the secret is missing. */
export function ledgerWebhookOf({ ledgerWebhook: url }: LedgerWebhookFlags): LedgerWebhook | undefined {
  // An empty variable counts as unset.
  if (!url) return undefined;
  const secret = process.env.SVC_LEDGER_WEBHOOK_SECRET;
  if (!secret)
    throw new UsageError(
      '--ledger-webhook needs the secret that signs its requests: SVC_LEDGER_WEBHOOK_SECRET="whsec_$(openssl rand -base64 32)". Give the receiver the same one',
    );
  return { url, secret };
}
