/** The request of a webhook: JSON, signed as `webhook-signature.ts` has it. */
import { version } from './version';
import { signatureHeaders } from './webhook-signature';

export interface SignedPost {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
}

/** @param id the same for each try of a message, so that a receiver recognises a repetition */
export function signedPost(secret: Uint8Array, { id, body }: { id: string; body: string }): SignedPost {
  const headers = {
    'content-type': 'application/json',
    'user-agent': `svc-sdk/${version}`,
    ...signatureHeaders(secret, { id, body, sentAt: Math.floor(Date.now() / 1_000) }),
  };
  return { method: 'POST', headers, body };
}
