/**
 * Signatures with which the receiver of a webhook verifies the sender.
 *
 * Source: Standard Webhooks 1.0.0, "Signature scheme", https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { createHmac } from 'node:crypto';

export interface SignedMessage {
  id: string;
  body: string;
  /** Seconds since the epoch. */
  sentAt: number;
}

export function signatureHeaders(secret: Uint8Array, { id, body, sentAt }: SignedMessage): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${id}.${sentAt}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': `${sentAt}`, 'webhook-signature': `v1,${signature}` };
}
