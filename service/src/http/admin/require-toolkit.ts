import type { Catalog } from '../../catalog/catalog';
import { toolkitNotFound } from '../../catalog/toolkit-not-found';
import type { ToolkitRecord } from '../../store/store';

/** Throws TOOLKIT_NOT_FOUND. */
export function requireToolkit(id: string, catalog: Catalog): ToolkitRecord {
  const toolkit = catalog.toolkit(id);
  if (toolkit) return toolkit;
  throw toolkitNotFound(
    id,
    catalog.toolkits().map((other) => other.id),
  );
}
