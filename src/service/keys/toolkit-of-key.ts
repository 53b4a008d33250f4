import { MAX_TOOLKIT_ID_CHARS, toToolkitId } from '../../protocol/ids';
import type { CatalogStore } from '../store/store';

/** The toolkit that a new toolkit key belongs to: the wanted one, made when it is missing; else a new one with an id made from `name`. */
export async function toolkitOfKey(catalog: CatalogStore, name: string, wanted: string | undefined): Promise<string> {
  const insert = (id: string, displayName: string) =>
    catalog.insertToolkit({ id, name: displayName, description: '', createdAt: Date.now() });
  if (wanted !== undefined) {
    // The key's name says whose key it is, which is no name for the toolkit.
    await insert(wanted, wanted);
    return wanted;
  }
  const id = toToolkitId(name);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? id : numbered(id, number);
    if (await insert(candidate, name)) return candidate;
  }
}

function numbered(id: string, number: number): string {
  const suffix = `-${number}`;
  return id.slice(0, MAX_TOOLKIT_ID_CHARS - suffix.length).replace(/-$/, '') + suffix;
}
