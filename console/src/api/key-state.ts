import type { KeyInfo } from '../../../src/protocol/http';

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

export function keyState({ revokedAt, expiresAt }: Pick<KeyInfo, 'revokedAt' | 'expiresAt'>, now = Date.now()): KeyState {
  if (revokedAt) return 'revoked';
  return expiresAt && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
