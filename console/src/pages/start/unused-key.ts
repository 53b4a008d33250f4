/** Keys that the snippets of "Get started" may hold: a snippet that runs with a key in use would change the toolkit behind it. */
import type { OwnedKey } from '../../../../src/protocol/admin';
import type { KeyKind } from '../../../../src/protocol/http';
import { keyState } from '../../api/key-state';

/** The active keys of one person, newest first. */
export function activeKeys(keys: readonly OwnedKey[], kind: KeyKind, personId: string | undefined, now = Date.now()): OwnedKey[] {
  return keys
    .filter((key) => key.kind === kind && key.owner?.id === personId && keyState(key, now) === 'active')
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
}

/** Never used, as far as the list of keys shows; a toolkit key may still have served a toolkit that is offline now. */
export const unusedKeys = (keys: readonly OwnedKey[]): OwnedKey[] => keys.filter(({ lastUsedAt }) => lastUsedAt === undefined);

/** `weather`, or `weather-2` where a key has that name already. */
export function freeName(name: string, keys: readonly Pick<OwnedKey, 'name'>[]): string {
  const taken = new Set(keys.map((key) => key.name));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
  return free;
}
