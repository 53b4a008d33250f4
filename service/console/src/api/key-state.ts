import type { KeyState } from '#sdk/protocol/admin';
import type { KeyInfo } from '#sdk/protocol/http';

export function keyState({ revokedAt, expiresAt }: Pick<KeyInfo, 'revokedAt' | 'expiresAt'>, now = Date.now()): KeyState {
  if (revokedAt) return 'revoked';
  return expiresAt && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
