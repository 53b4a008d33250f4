/** The hash that decides whether two requests are equal: two with the same idempotency key, and two that wait for the same approval. */
import { hash } from 'node:crypto';
import type { AdmittedCall } from './admission';
import type { CallRequest } from './call-request';
import { callUser } from './call-user';

/**
 * It includes the user, so two users of one key never share an answer, and the chosen connection. A credential is not part of it: it changes
 * between retries.
 *
 * @param connection the name of the connection that the caller chose
 */
export function requestHash(
  { key, callerIds }: Pick<CallRequest, 'key' | 'callerIds'>,
  { actionId, payloadJson }: Pick<AdmittedCall, 'actionId' | 'payloadJson'>,
  connection: string | undefined,
): string {
  const { userId, namedUser } = callUser(key, callerIds);
  return hash('sha256', requestText(actionId, payloadJson, namedUser?.id ?? userId, connection), 'hex');
}

function requestText(actionId: string, payloadJson: string, userId: string | undefined, connection: string | undefined): string {
  const text = userId === undefined ? `${actionId}\n${payloadJson}` : `${actionId}\n${payloadJson}\n${userId}`;
  return connection === undefined ? text : `${text}\n${userId ?? ''}\n${connection}`;
}
