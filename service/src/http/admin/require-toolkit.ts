import { SvcError } from '#sdk/protocol/errors';
import type { Catalog } from '../../catalog/catalog';
import { toolkitNotFound } from '../../catalog/toolkit-not-found';
import type { ConnectedToolkit } from '../../connections/call-connections';
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

/** Throws TOOLKIT_NOT_FOUND, and INVALID_REQUEST for a toolkit whose calls need no account. */
export function requireConnectedToolkit(id: string, catalog: Catalog): ConnectedToolkit {
  const toolkit = requireToolkit(id, catalog);
  if (isConnected(toolkit)) return toolkit;
  throw new SvcError('INVALID_REQUEST', `Toolkit "${id}" asks for no account: it registers without "auth"`);
}

const isConnected = (toolkit: ToolkitRecord): toolkit is ConnectedToolkit => toolkit.auth !== undefined;
