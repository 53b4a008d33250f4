/**
 * A refresh token: a grant and its generation, signed. Nothing of it is stored, and the successor of a token is always the same text, so two
 * requests with one token get one family.
 */
import type { Signer } from '../keys/signer';

const PREFIX = 'svc_refresh_';

export interface RefreshToken {
  grantId: string;
  /** Counts the refreshes of the grant. */
  generation: number;
}

export function toRefreshToken({ grantId, generation }: RefreshToken, signer: Signer): string {
  return signer.sign(`${PREFIX}${grantId}.${generation}`);
}

export function readRefreshToken(text: string, signer: Signer): RefreshToken | undefined {
  const signed = text.startsWith(PREFIX) ? signer.verify(text) : undefined;
  if (signed === undefined) return undefined;
  const [grantId = '', generation] = signed.slice(PREFIX.length).split('.');
  return { grantId, generation: Number(generation) };
}
