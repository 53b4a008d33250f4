import type { Role } from '#sdk/protocol/admin';

export interface SignedIn {
  id: string;
  name: string;
  email: string;
  role: Role;
}

export interface CurrentSession {
  id: string;
  person: SignedIn;
  /** Time of the sign-in, in milliseconds since 1970. */
  signedInAt: number;
}
