import { SvcError } from '#sdk/protocol/errors';
import type { Principal } from '../accounts/principal';
import type { AppDeps } from './app-deps';

/** The person of the session, if the browser has one. */
export async function signedInPerson({ url, headers }: Request, { admin }: Pick<AppDeps, 'admin'>): Promise<Principal | undefined> {
  const cookie = headers.get('cookie');
  if (!admin || cookie === null) return undefined;
  try {
    // A request that only reads: the caller checks forms before.
    return await admin.accounts.principal(new Request(url, { headers: { cookie } }));
  } catch (error) {
    if (SvcError.is(error) && error.code === 'NOT_SIGNED_IN') return undefined;
    throw error;
  }
}
