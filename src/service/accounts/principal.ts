/** The person or key on whose behalf a request of the admin API is answered. */
import type { Role } from '../../protocol/admin';

export interface Principal {
  /** A person with a session, or an admin key. */
  kind: 'person' | 'key';
  /** The id of the account, or of the key. */
  id: string;
  name: string;
  /** An admin key may what an owner may. */
  role: Role;
}
