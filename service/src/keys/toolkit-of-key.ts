import { SvcError } from '#sdk/protocol/errors';
import { MAX_TOOLKIT_ID_CHARS, RESERVED_TOOLKIT_ID, toToolkitId } from '#sdk/protocol/ids';
import type { CatalogStore } from '../store/store';

/**
 * Returns the toolkit of a new toolkit key: the toolkit `wanted`, created if missing; without `wanted`, a new toolkit with an id made from
 * `name`.
 *
 * @param mayJoin true if the key may belong to an existing toolkit; false throws NOT_PERMITTED
 */
export async function toolkitOfKey(
  catalog: CatalogStore,
  name: string,
  wanted: string | undefined,
  mayJoin: (toolkitId: string) => boolean,
): Promise<string> {
  const insert = (id: string, displayName: string) =>
    catalog.insertToolkit({ id, name: displayName, description: '', createdAt: Date.now() });
  if (wanted !== undefined) {
    // The key's name describes the key, not the toolkit.
    const isNew = await insert(wanted, wanted);
    if (isNew || mayJoin(wanted)) return wanted;
    throw new SvcError(
      'NOT_PERMITTED',
      `Toolkit "${wanted}" belongs to another account: choose another id, or ask an owner of this service for a key`,
    );
  }
  const id = toToolkitId(name);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? id : numbered(id, number);
    if (candidate !== RESERVED_TOOLKIT_ID && (await insert(candidate, name))) return candidate;
  }
}

function numbered(id: string, number: number): string {
  const suffix = `-${number}`;
  return id.slice(0, MAX_TOOLKIT_ID_CHARS - suffix.length).replace(/-$/, '') + suffix;
}
