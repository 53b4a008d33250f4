/**
 * A fresh sign-in: an unlocked computer or a stolen cookie is not enough for the changes that give access for longer than the session lasts. Every
 * sign-in creates a session, so the age of the session is the age of the sign-in.
 *
 * Source: OWASP's Authentication Cheat Sheet, "Require Re-authentication for Sensitive Features".
 */
import { SvcError } from '#sdk/protocol/errors';
import type { Principal } from './principal';

const FRESH_MINUTES = 15;

/** @param signedInAt milliseconds since 1970 */
export function isFresh(signedInAt: number): boolean {
  return Date.now() - signedInAt < FRESH_MINUTES * 60_000;
}

/** Passes an admin key, which has no session. @throws SvcError FRESH_SIGN_IN_REQUIRED */
export function requireFreshSignIn({ signedInAt }: Pick<Principal, 'signedInAt'>): void {
  if (signedInAt === undefined || isFresh(signedInAt)) return;
  throw new SvcError('FRESH_SIGN_IN_REQUIRED', `Sign in again, then repeat this: it needs a sign-in of the last ${FRESH_MINUTES} minutes`);
}
