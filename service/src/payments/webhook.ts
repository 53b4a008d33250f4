/**
 * A settlement that sends each entry to a webhook: a POST with the entry as JSON. 2xx accepts it. Anything else is a failure, a redirect too: the
 * entry would go to a host that was not configured.
 */
import { SvcError } from '#sdk/protocol/errors';
import { readRetryAfter } from '#sdk/protocol/retry-after';
import { signedPost } from '../lib/signed-post';
import type { ChargedEntry } from './charged-entry';
import type { Settle } from './settlement';
import { readWebhookSecret } from './webhook-secret';
import { readWebhookUrl } from './webhook-url';

/** A receiver of the entries of the ledger. docs/payments.md has the headers, and how to verify them. */
export interface LedgerWebhook {
  /** `https://…`, or `http://…` in a private network. */
  url: string;
  /** Signs each request: `whsec_` and the base64 of at least 24 random bytes, as the Standard Webhooks have it. */
  secret: string;
}

const ANSWER_MS = 10_000;

/** @throws SvcError INVALID_REQUEST, without the secret */
export function webhookSettle({ url: text, secret: secretText }: LedgerWebhook): { settle: Settle; host: string } {
  const { href, host } = readWebhookUrl(text);
  const secret = readWebhookSecret(secretText);
  const settle = async (entry: ChargedEntry) => {
    const id = entry.invocationId;
    const body = JSON.stringify(entry);
    const post = signedPost(secret, { id, body });
    const response = await send(href, host, {
      ...post,
      headers: { ...post.headers, 'idempotency-key': id },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw refusal(host, response);
  };
  return { settle, host };
}

async function send(url: string, host: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    const { name, message, cause } = error as Error;
    const why =
      name === 'TimeoutError' ? `did not answer in ${ANSWER_MS / 1_000} s` : `cannot be reached: ${(cause as Error)?.message || message}`;
    throw new SvcError('SERVICE_UNAVAILABLE', `The ledger webhook at ${host} ${why}`, {}, { cause: error });
  }
}

function refusal(host: string, { status, headers }: Response): SvcError {
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  const advice = status >= 300 && status < 400 ? ', a redirect, which is not followed: name the new address' : '';
  const details = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new SvcError('SERVICE_UNAVAILABLE', `The ledger webhook at ${host} answered ${status}${advice}`, details);
}
