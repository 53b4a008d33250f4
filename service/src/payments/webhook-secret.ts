/** The secret of the ledger's webhook, as the Standard Webhooks have it. */
import { SvcError } from '#sdk/protocol/errors';

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const MIN_SECRET_BYTES = 24;

/** @throws SvcError INVALID_REQUEST, without the secret */
export function readWebhookSecret(text: string): Uint8Array {
  const secret = Buffer.from(SECRET.exec(text)?.[1] ?? '', 'base64');
  if (secret.length >= MIN_SECRET_BYTES) return secret;
  throw new SvcError(
    'INVALID_REQUEST',
    `The ledger webhook needs a secret (SVC_LEDGER_WEBHOOK_SECRET): whsec_ and the base64 of at least ${MIN_SECRET_BYTES} bytes. Make one with: echo "whsec_$(openssl rand -base64 32)"`,
  );
}
