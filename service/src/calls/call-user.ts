import type { CallUser } from '../hub/handler-users';
import type { CallingKey } from '../keys/agent-tokens';
import type { CallerIds } from '../keys/caller-ids';

/** The user of a call. A page that holds a token without a user could name any user: then the header is for records alone. */
export function callUser({ token, ownerId }: CallingKey, ids: CallerIds | undefined): CallUser {
  if (token) return token.userId === undefined ? {} : { userId: token.userId };
  return ids?.userId === undefined ? {} : { namedUser: { id: ids.userId, ownerId } };
}
