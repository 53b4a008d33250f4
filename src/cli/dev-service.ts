/** The service of `svc-service dev` in the current folder, for commands whose variable has no key. */

import { DEV_FOLDER, readKeptKeys } from './kept-keys';
import type { ServiceAddress } from './service-request';

/**
 * Undefined without one. Key and address are of one file: no key goes to an address from elsewhere.
 *
 * @param wanted the service that SVC_BASE_URL or `--url` names; undefined: any
 */
export function devService(kind: 'agent' | 'admin', wanted: string | undefined): ServiceAddress | undefined {
  const kept = readKeptKeys(DEV_FOLDER);
  const { url, [kind]: key } = kept ?? {};
  if (url === undefined || key === undefined) return undefined;
  return wanted === undefined || wanted === url ? { url, apiKey: key.key } : undefined;
}
