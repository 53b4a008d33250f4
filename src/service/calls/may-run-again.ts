import type { Catalog } from '../catalog/catalog';

/** Its toolkit has declared that a second run changes nothing more. */
export function mayRunAgain(catalog: Catalog, actionId: string): boolean {
  const { readOnly = false, idempotent = false } = catalog.action(actionId)?.annotations ?? {};
  return readOnly || idempotent;
}
