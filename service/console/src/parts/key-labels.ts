import type { OwnedKey } from '#sdk/protocol/admin';

type Labelled = Pick<OwnedKey, 'id' | 'name' | 'owner'>;

/** The name of each key by its id, with the owner or the id where several have the name. */
export function keyLabels(keys: readonly Labelled[]): ReadonlyMap<string, string> {
  const names = Map.groupBy(keys, ({ name }) => name);
  const isShared = ({ name }: Labelled) => (names.get(name)?.length ?? 0) > 1;
  return new Map(keys.map((key) => [key.id, isShared(key) ? `${key.name} (${key.owner?.name ?? key.id})` : key.name || key.id]));
}
