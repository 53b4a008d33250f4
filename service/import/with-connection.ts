/**
 * The connection of one call: an account of the caller's choice, which its request to the source gets and nothing else.
 *
 * Errors: ActionError CONNECTION_REQUIRED for a call without one, and for one that the source refuses also after its renewal.
 */
import type { ActionConnection, ActionContext } from 'svc-sdk';
import { type CredentialPlace, credentialAt, type FixedCredential } from './credential';
import type { Secret } from './redactor';

const SHOWN = '[connection]';

/** The source refused the credential, as with status 401, and did not run the call. */
export class RefusedConnection extends Error {
  override readonly name = 'RefusedConnection';
}

/** Runs the call, and once more with the renewed connection if the source refuses the first. */
export async function withConnection<Result>(
  ctx: ActionContext,
  { kind }: CredentialPlace,
  run: (connection: ActionConnection) => Promise<Result>,
): Promise<Result> {
  const { connection } = ctx;
  if (connection?.type !== kind)
    throw ctx.error('CONNECTION_REQUIRED', `The call needs a connection of type ${kind}, and has ${connection?.type ?? 'none'}`);
  try {
    return await run(connection);
  } catch (error) {
    if (!(error instanceof RefusedConnection)) throw error;
  }
  // The same object has the new token afterwards.
  await connection.refused();
  try {
    return await run(connection);
  } catch (error) {
    throw error instanceof RefusedConnection ? ctx.error('CONNECTION_REQUIRED', error.message) : error;
  }
}

export function credentialOf(connection: ActionConnection, place: CredentialPlace): FixedCredential {
  return credentialAt(place, secretOf(connection));
}

/** The texts that nothing of the call may show. A user name is in many results, so it stays. */
export function connectionSecrets(connection: ActionConnection): Secret[] {
  const { password } = connection;
  const values = [secretOf(connection), ...(password === undefined ? [] : [password])];
  return values.map((value) => ({ value, shown: SHOWN, isCredential: true }));
}

/** A token, `user:password`, or a key. */
function secretOf({ token, username, password, apiKey }: ActionConnection): string {
  return token ?? apiKey ?? `${username}:${password}`;
}
