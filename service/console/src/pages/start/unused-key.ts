/** Keys for the snippets of "Get started". A key in use is not offered: a snippet that runs with it would change its toolkit. */
import type { OwnedKey } from '#sdk/protocol/admin';

/** Keys without a recorded use. A toolkit key among them may still have served a toolkit that is offline now. */
export const unusedKeys = (keys: readonly OwnedKey[]): OwnedKey[] => keys.filter(({ lastUsedAt }) => lastUsedAt === undefined);

/** `weather`, or `weather-2` if a key with that name exists. */
export function freeName(name: string, keys: readonly Pick<OwnedKey, 'name'>[]): string {
  const taken = new Set(keys.map((key) => key.name));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
  return free;
}
