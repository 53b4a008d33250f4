/**
 * One-time links: an invitation makes an account, or sets the password of one. Its token is in nothing but the answer that made it; the store
 * keeps the SHA-256.
 *
 * Errors: NOT_FOUND for a token that cannot be used, whether or not it was ever valid.
 */
import type { Role } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import { randomBase62 } from '../keys/base62';
import { makeSecret, secretProblem } from '../keys/checked-secret';
import { sha256Hex } from '../lib/sha256-hex';
import { DAY_MS } from '../lib/utc-day';
import type { AccountStore, InvitationRecord } from '../store/console-store';

const PREFIX = 'inv_';
/** The id of an invitation for the first account has this prefix. */
const SETUP_PREFIX = 'inv_setup_';
const DEFAULT_DAYS = 7;
/** A setup link, or one that sets a password, opens what is there already. */
const SHORT_DAYS = 1;
const MAX_DAYS = 30;

export interface NewInvitation {
  role: Role;
  name?: string | undefined;
  /** The account that gets a new password. */
  personId?: string | undefined;
  /** Account of who makes it. */
  madeBy?: string | null | undefined;
  expiresInDays?: number | undefined;
}

export interface MadeInvitation {
  record: InvitationRecord;
  token: string;
}

export class Invitations {
  readonly #accounts: AccountStore;

  constructor(accounts: AccountStore) {
    this.#accounts = accounts;
  }

  async invite({ role, name, personId, madeBy, expiresInDays }: NewInvitation): Promise<MadeInvitation> {
    const days = expiresInDays ?? (personId === undefined ? DEFAULT_DAYS : SHORT_DAYS);
    if (!(days > 0 && days <= MAX_DAYS)) throw new SvcError('INVALID_REQUEST', `A link may last ${MAX_DAYS} days, not ${days}`);
    if (personId !== undefined && !(await this.#accounts.find(personId)))
      throw new SvcError('NOT_FOUND', `There is no account ${personId}: list the people to see which there are`);
    return this.#make(PREFIX, { role, name: name ?? null, personId: personId ?? null, madeBy: madeBy ?? null, days });
  }

  /**
   * Creates the first owner's link; undefined when there is an account. The previous link stops working, so that exactly one is valid after a
   * restart.
   */
  async setUp(): Promise<MadeInvitation | undefined> {
    if ((await this.#accounts.list()).length > 0) return undefined;
    const now = Date.now();
    for (const former of await this.#accounts.invitations(now)) {
      if (isSetup(former)) await this.#accounts.withdrawInvitation(former.id, now);
    }
    return this.#make(SETUP_PREFIX, { role: 'owner', name: null, personId: null, madeBy: null, days: SHORT_DAYS });
  }

  async usable(token: string): Promise<InvitationRecord> {
    if (!token.startsWith(PREFIX) || secretProblem(token, PREFIX))
      throw new SvcError('NOT_FOUND', 'The link is mistyped or not complete: copy all of it');
    const invitation = await this.#accounts.invitation(sha256Hex(token), Date.now());
    if (!invitation) throw cannotBeUsed();
    await this.#refuseOutdated(invitation);
    return invitation;
  }

  /** Consumes the link: of two parallel uses one succeeds. */
  async use(invitation: InvitationRecord): Promise<void> {
    if (!(await this.#accounts.useInvitation(invitation.id, Date.now()))) throw cannotBeUsed();
    // Checked again: another link may have been used meanwhile.
    await this.#refuseOutdated(invitation);
  }

  async #refuseOutdated(invitation: InvitationRecord): Promise<void> {
    if (isSetup(invitation) && (await this.#accounts.list()).length > 0) throw cannotBeUsed();
    const { personId, role } = invitation;
    // A link to a member's account must not give an owner's account.
    if (personId !== null && (await this.#accounts.find(personId))?.role !== role) throw cannotBeUsed();
  }

  async #make(
    idPrefix: string,
    { days, ...invitation }: Pick<InvitationRecord, 'role' | 'name' | 'personId' | 'madeBy'> & { days: number },
  ): Promise<MadeInvitation> {
    const token = makeSecret(PREFIX);
    const createdAt = Date.now();
    const expiresAt = createdAt + Math.round(days * DAY_MS);
    const record = { id: idPrefix + randomBase62(16), hash: sha256Hex(token), ...invitation, createdAt, expiresAt };
    await this.#accounts.invite(record);
    return { record, token };
  }
}

function isSetup({ id }: InvitationRecord): boolean {
  return id.startsWith(SETUP_PREFIX);
}

function cannotBeUsed(): SvcError {
  return new SvcError('NOT_FOUND', 'The link was used or withdrawn, or its time is over: ask for a new one');
}
