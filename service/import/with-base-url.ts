/**
 * Writes the address in a document into its entry before the approval: a later document cannot change it.
 *
 * Errors: INVALID_REQUEST for an address in a private network, which only the operator may name.
 */

import type { OpenSource } from './open-source';
import { checkPublicHost } from './public-host';
import type { ToolkitEntry } from './toolkits-file';

export async function withBaseUrl(entry: ToolkitEntry, { baseUrl }: Pick<OpenSource, 'baseUrl'>): Promise<ToolkitEntry> {
  if (!('openapi' in entry) || entry.openapi.baseUrl !== undefined || baseUrl === undefined) return entry;
  await checkPublicHost(new URL(baseUrl));
  return { ...entry, openapi: { ...entry.openapi, baseUrl } };
}
