import { Badge } from '@mantine/core';
import type { OwnedKey } from '#sdk/protocol/admin';
import type { KeyKind } from '#sdk/protocol/http';
import { keyState } from '../../api/key-state';

const KIND_COLORS: Record<KeyKind, string> = { agent: 'brand', toolkit: 'indigo', admin: 'orange' };

export function KeyKindBadge({ kind }: { kind: KeyKind }) {
  return (
    <Badge variant="light" color={KIND_COLORS[kind]} tt="none" fw={500}>
      {kind}
    </Badge>
  );
}

/** Empty for an active key. */
export function KeyStateBadge({ info }: { info: Pick<OwnedKey, 'revokedAt' | 'expiresAt'> }) {
  const state = keyState(info);
  if (state === 'active') return null;
  return (
    <Badge variant="default" tt="none" fw={500}>
      {state}
    </Badge>
  );
}
