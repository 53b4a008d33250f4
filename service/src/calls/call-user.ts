import type { CallUser } from '../hub/handler-users';
import type { CallingKey } from '../keys/agent-tokens';
import type { CallerIds } from '../keys/caller-ids';

/**
 * The user of a call. A page that holds a token without a user could name any user: then the header is for records alone. The user of an OAuth
 * client is a person of this service, whose account toolkits of other owners must not learn.
 */
export function callUser({ token, ownerId }: CallingKey, ids: CallerIds | undefined): CallUser {
  if (token?.grantId !== undefined && token.userId !== undefined) return { namedUser: { id: token.userId, ownerId } };
  if (token) return token.userId === undefined ? {} : { userId: token.userId };
  return ids?.userId === undefined ? {} : { namedUser: { id: ids.userId, ownerId } };
}
