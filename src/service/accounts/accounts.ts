/**
 * People: who they are, how they sign in, who invited them.
 *
 * Errors: NOT_SIGNED_IN, SIGN_IN_FAILED, RATE_LIMITED, NOT_PERMITTED (a request that another site made the browser send), NOT_FOUND (an invitation
 *         that cannot be used), CONFLICT (an e-mail that has an account), INVALID_REQUEST (a weak password).
 */
import type { AcceptInvitationRequest, ConsoleInfo, LookedInvitation, Role } from '../../protocol/admin';
import type { InvitationRecord, PersonRecord } from '../store/console-store';
import type { Principal } from './principal';

export interface Accounts {
  readonly signIn: ConsoleInfo['signIn'];
  /** Answers everything below `/v1/auth`. */
  handle(request: Request, clientAddress: string): Promise<Response>;
  /** Rejects with NOT_SIGNED_IN without a session, and with NOT_PERMITTED for a change that did not come from the console's own pages. */
  principal(request: Request): Promise<Principal>;
  /** Makes a one-time link; its token is in nothing but the answer. */
  invite(invitation: {
    role: Role;
    name?: string;
    personId?: string;
    expiresInDays?: number;
  }): Promise<{ record: InvitationRecord; token: string }>;
  look(token: string, clientAddress: string): Promise<LookedInvitation>;
  /** The headers that sign the new person in (`set-cookie`). */
  accept(
    request: AcceptInvitationRequest,
    from: { request: Request; clientAddress: string },
  ): Promise<{ person: PersonRecord; headers: Headers }>;
  /** Ends all sessions of an account, such as after its role changed or it got a new password. */
  endSessions(personId: string): Promise<void>;
}
