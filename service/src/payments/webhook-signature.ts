/**
 * Signatures with which the receiver of a webhook verifies the sender.
 *
 * Source: Standard Webhooks 1.0.0, "Signature scheme", https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { createHmac } from 'node:crypto';
import { SvcError } from '#sdk/protocol/errors';

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const MIN_SECRET_BYTES = 24;

export interface SignedMessage {
  id: string;
  body: string;
  /** Seconds since the epoch. */
  sentAt: number;
}

/** @throws SvcError INVALID_REQUEST, without the secret */
export function readWebhookSecret(text: string): Uint8Array {
  const secret = Buffer.from(SECRET.exec(text)?.[1] ?? '', 'base64');
  if (secret.length >= MIN_SECRET_BYTES) return secret;
  throw new SvcError(
    'INVALID_REQUEST',
    `The ledger webhook needs a secret (SVC_LEDGER_WEBHOOK_SECRET): whsec_ and the base64 of at least ${MIN_SECRET_BYTES} bytes. Make one with: echo "whsec_$(openssl rand -base64 32)"`,
  );
}

export function signatureHeaders(secret: Uint8Array, { id, body, sentAt }: SignedMessage): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${id}.${sentAt}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': `${sentAt}`, 'webhook-signature': `v1,${signature}` };
}
