/** The agent keys that a person can search and call with, their own first. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { OwnedKey } from '#sdk/protocol/admin';
import { keyState } from './key-state';
import { keysQuery } from './keys';
import { meQuery } from './me';

export function useAgentKeys() {
  const { data: me } = useSuspenseQuery(meQuery);
  return useQuery({ ...keysQuery, select: ({ keys }) => usableAgentKeys(keys, me.person?.id) });
}

export function usableAgentKeys(keys: readonly OwnedKey[], personId: string | undefined, now = Date.now()): OwnedKey[] {
  const usable = keys.filter((key) => key.kind === 'agent' && keyState(key, now) === 'active');
  const isMine = ({ owner }: OwnedKey) => owner !== undefined && owner.id === personId;
  return [...usable.filter(isMine), ...usable.filter((key) => !isMine(key))];
}
