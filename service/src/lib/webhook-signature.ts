/**
 * Signatures with which the receiver of a webhook verifies the sender, and the service the answer of a receiver.
 *
 * Source: Standard Webhooks 1.0.0, "Signature scheme", https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface SignedMessage {
  id: string;
  body: string;
  /** Seconds since the epoch. */
  sentAt: number;
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** The clocks of both sides may differ so much. */
const TOLERANCE_SECONDS = 300;

/** Base64. */
export function newWebhookSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64');
}

/** The form of a secret for its receiver. */
export function shownWebhookSecret(secret: string): string {
  return SECRET_PREFIX + secret;
}

export function signatureHeaders(secret: Uint8Array, message: SignedMessage): Record<string, string> {
  const { id, sentAt } = message;
  return { 'webhook-id': id, 'webhook-timestamp': `${sentAt}`, 'webhook-signature': `v1,${signatureOf(secret, message)}` };
}

/**
 * True for a message with this id that was signed with the secret in the last five minutes.
 *
 * @param now milliseconds since the epoch
 */
export function isSigned(
  secret: Uint8Array,
  { id, body, headers, now }: { id: string; body: string; headers: Headers; now: number },
): boolean {
  const sentAt = Number(headers.get('webhook-timestamp') ?? Number.NaN);
  if (headers.get('webhook-id') !== id || !(Math.abs(now / 1_000 - sentAt) <= TOLERANCE_SECONDS)) return false;
  const expected = Buffer.from(`v1,${signatureOf(secret, { id, body, sentAt })}`);
  return (headers.get('webhook-signature') ?? '').split(' ').some((text) => {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function signatureOf(secret: Uint8Array, { id, body, sentAt }: SignedMessage): string {
  return createHmac('sha256', secret).update(`${id}.${sentAt}.${body}`).digest('base64');
}
