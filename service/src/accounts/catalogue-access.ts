import { SvcError } from '#sdk/protocol/errors';

/** `public`: everyone, search engines too. `members`: people with an account. */
export type CatalogueAccess = 'public' | 'members';

/** @throws SvcError INVALID_REQUEST */
export function readCatalogueAccess(access: CatalogueAccess | undefined, hasConsole: boolean): CatalogueAccess {
  if (access === undefined) return 'members';
  if (access !== 'public' && access !== 'members')
    throw new SvcError('INVALID_REQUEST', 'catalogue: write "public", or "members" for people with an account');
  if (!hasConsole) throw new SvcError('INVALID_REQUEST', 'catalogue: the pages are a part of the console: turn it on (console: true)');
  return access;
}
