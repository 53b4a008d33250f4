/** The authenticated caller of the admin API. */
import type { Role } from '#sdk/protocol/admin';

export interface Principal {
  /** A person with a session, or an admin key. */
  kind: 'person' | 'key';
  /** Id of the account or of the key. */
  id: string;
  name: string;
  /** An admin key has the rights of an owner. */
  role: Role;
  /** Time of a person's sign-in, in milliseconds since 1970. */
  signedInAt?: number;
}
