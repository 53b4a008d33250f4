/**
 * UserConfirmations: an app says whose browser connected an account. Until then nothing can use the account: a link may be
 * opened by another person than the user for whom it was made.
 *
 * Errors: NOT_FOUND for a wrong code, NOT_PERMITTED for another user, CONFLICT for a code that was used.
 */
import { readConfirmationCode } from '#sdk/protocol/connections';
import { SvcError } from '#sdk/protocol/errors';
import type { Audit } from '../../audit/audit';
import { sha256Hex } from '../../lib/sha256-hex';
import type { ConnectStore, FlowRecord } from '../../store/connect-store';
import type { KeyRecord } from '../../store/store';
import { readOwner, userOwner } from '../owner';
import { CONFIRM_MS } from './connect-flows';
import type { FlowAccounts } from './flow-accounts';
import type { ConnectedFlow, FlowSecrets } from './flow-secrets';

const MAX_WRONG_CODES = 5;

export interface ConfirmedAccount {
  toolkit: string;
  name: string;
  account?: string;
}

export interface ConfirmationsDeps {
  store: ConnectStore;
  secrets: FlowSecrets;
  accounts: FlowAccounts;
  audit: Audit;
}

export class UserConfirmations {
  readonly #deps: ConfirmationsDeps;

  constructor(deps: ConfirmationsDeps) {
    this.#deps = deps;
  }

  /** @param key of the app */
  async confirm({ code, userId }: { code: string; userId: string }, key: Pick<KeyRecord, 'id' | 'name'>): Promise<ConfirmedAccount> {
    const { store, secrets, accounts } = this.#deps;
    const text = readConfirmationCode(code);
    const flow = text === undefined ? undefined : await store.flowByCode(sha256Hex(text));
    const owner = flow && readOwner(flow.owner);
    if (!flow || owner?.kind !== 'user' || owner.keyId !== key.id) throw await this.#wrongCode(key, userId);
    if (owner.userId !== userId) throw await this.#wrongUser(flow, key);
    const linkToken = secrets.open(flow)?.linkToken ?? '';
    const connected = secrets.open(flow)?.connected;
    if (!connected || !(await store.changeFlow(flow.id, 'awaiting', { status: 'checking' })))
      throw new SvcError('CONFLICT', 'The code was used before, or its account is not valid any more');
    try {
      const row = await accounts.keepFor(flow, withLifeLeft(connected, flow), { kind: 'key', id: key.id, name: key.name });
      await store.changeFlow(flow.id, 'checking', { ...secrets.seal(flow, { linkToken }), status: 'done' });
      return { toolkit: row.toolkitId, name: row.name, ...(row.account !== '' && { account: row.account }) };
    } catch (error) {
      await store.changeFlow(flow.id, 'checking', { status: 'awaiting' });
      throw error;
    }
  }

  async #wrongCode(key: Pick<KeyRecord, 'id' | 'name'>, userId: string): Promise<SvcError> {
    const ended = await this.#deps.store.countWrongCode(userOwner(key.id, userId), MAX_WRONG_CODES);
    for (const flow of ended) await this.#refuse(flow, key, `${MAX_WRONG_CODES} wrong codes`);
    return new SvcError(
      'NOT_FOUND',
      ended.length > 0
        ? `No connection of this user waits for this code. After ${MAX_WRONG_CODES} wrong codes its connection was ended: connect the account again`
        : 'No connection of this user waits for this code: it is wrong, or older than 10 minutes',
    );
  }

  async #wrongUser(flow: FlowRecord, key: Pick<KeyRecord, 'id' | 'name'>): Promise<SvcError> {
    if (await this.#deps.store.changeFlow(flow.id, 'awaiting', { status: 'ended' }))
      await this.#refuse(flow, key, 'another user confirmed it');
    return new SvcError(
      'NOT_PERMITTED',
      'The link was made for another user than the one whose browser connected the account, so the connection was ended. Make a link for this user',
    );
  }

  async #refuse(flow: FlowRecord, { id, name }: Pick<KeyRecord, 'id' | 'name'>, why: string): Promise<void> {
    const { secrets, accounts, audit } = this.#deps;
    const { owner, name: connection } = flow;
    await audit.write({ kind: 'key', id, name }, 'connection.refuse', flow.toolkitId, { owner, name: connection, why });
    const connected = secrets.open(flow)?.connected;
    if (connected) await accounts.revoke(flow, connected);
  }
}

/** The flow waited for a while, by the database's clock. */
function withLifeLeft({ expiresInMs, ...connected }: ConnectedFlow, { expiresAt, readAt }: FlowRecord): ConnectedFlow {
  const waitedMs = Math.max(0, CONFIRM_MS - (expiresAt - readAt));
  return { ...connected, ...(expiresInMs !== undefined && { expiresInMs: expiresInMs - waitedMs }) };
}
