/**
 * Finds the connection of a call among the stored ones. It fails closed: no owner's call falls through to another one's account.
 *
 * Errors: CONNECTION_REQUIRED, with a link to connect; SERVICE_UNAVAILABLE while a token has expired and its provider gives no other.
 */
import { DEFAULT_CONNECTION, type RequiredConnection, type ToolkitAuth } from '#sdk/protocol/connections';
import { SvcError } from '#sdk/protocol/errors';
import type { Catalog } from '../catalog/catalog';
import type { CallConnection } from '../lib/call-connection';
import type { ConnectionRecord } from '../store/connection-store';
import type { CallConnections, ConnectionAsk, KeptConnection } from './call-connections';
import type { ConnectLink } from './connect/connect-links';
import { NO_CONNECT_PAGE } from './connect/page-address';
import { ConnectionEnded } from './connection-ended';
import { type KeptSecret, toCallConnection } from './kept-secret';
import { ProviderError } from './provider-error';
import type { StoredConnections } from './stored-connections';
import type { TokenRefresh } from './token-refresh';

/** A use is recorded so exactly. */
const USE_STEP_MS = 60_000;
/** An API that refuses a token of this age, or of less than half its life, refuses the next one too. */
const NEW_TOKEN_MS = 10_000;
/** The time of a connection and that of its first token are taken one after the other. */
const SAME_TIME_MS = 10;

interface LinkAsk extends Pick<ConnectionAsk, 'toolkit' | 'agentKeyId' | 'userId'> {
  owner: string;
  name: string;
}

/** Undefined where the service has no connect page. */
export type MakeLink = (ask: LinkAsk) => Promise<ConnectLink | undefined>;

export interface KeptCallConnectionsDeps {
  rows: StoredConnections;
  refresh: TokenRefresh;
  catalog: Pick<Catalog, 'toolkit'>;
  makeLink: MakeLink;
}

export class KeptCallConnections implements CallConnections {
  readonly #rows: StoredConnections;
  readonly #refresh: TokenRefresh;
  readonly #catalog: Pick<Catalog, 'toolkit'>;
  readonly #makeLink: MakeLink;

  constructor({ rows, refresh, catalog, makeLink }: KeptCallConnectionsDeps) {
    this.#rows = rows;
    this.#refresh = refresh;
    this.#catalog = catalog;
    this.#makeLink = makeLink;
  }

  async open(ask: ConnectionAsk): Promise<KeptConnection> {
    const row = await this.#choose(ask);
    const again = { ...ask, name: row.name };
    if (row.status === 'ended') throw await this.required(again, `The account is not connected any more: ${row.fault}`);
    const { auth } = ask.toolkit;
    if (row.type !== auth.type) throw await this.required(again, `The account is connected by ${row.type}, and now ${auth.type} is needed`);
    const secret = this.#rows.secretOf(row);
    if (!secret) throw await this.required(again, 'The service cannot read the stored secret of the account any more');
    try {
      const connection = await this.#usable(row, secret, auth);
      if (row.usedAt === null || row.readAt - row.usedAt > USE_STEP_MS) await this.#rows.store.used(row.id);
      return { id: row.id, connection };
    } catch (error) {
      if (isForUser(error)) throw await this.required(again, `The account is not connected any more: ${error.message}`);
      throw unavailable(ask.toolkit.id, error);
    }
  }

  async renew(id: string, refused: CallConnection): Promise<CallConnection> {
    const row = await this.#rows.store.find(id);
    if (!row) throw mustConnect('The account is not connected any more');
    const { toolkitId } = row;
    const auth = this.#catalog.toolkit(toolkitId)?.auth;
    const secret = row.status === 'live' ? this.#rows.secretOf(row) : undefined;
    if (!auth || !secret) throw mustConnect('The account is not connected any more', toolkitId);
    const present = toCallConnection(row, secret, auth);
    if (!hasSameSecret(present, refused)) return present;
    if (secret.type !== 'oauth2' || secret.refreshToken === undefined) {
      const fault = 'The API refused it, and there is nothing to renew it with';
      await this.#rows.store.refreshFailed(id, row.version, fault, 'user');
      throw mustConnect(`The API refused the account's ${secret.type}, which cannot be renewed`, toolkitId);
    }
    if (isJustRefreshed(row))
      throw mustConnect(
        'The API refused a token that its provider has just given. Connect the account again, with the access that the toolkit needs',
        toolkitId,
      );
    try {
      return this.#connectionOf(await this.#refresh.now(row), auth);
    } catch (error) {
      if (isForUser(error)) throw mustConnect(`The account is not connected any more: ${error.message}`, toolkitId);
      throw unavailable(toolkitId, error);
    }
  }

  required(ask: ConnectionAsk, reason: string): Promise<SvcError> {
    return this.#required(ask, reason);
  }

  async #choose(ask: ConnectionAsk): Promise<ConnectionRecord> {
    const { toolkit, owner, name } = ask;
    if (owner === undefined)
      throw mustConnect(
        `Toolkit "${toolkit.id}" acts with the account of a user, and the call names none. Name the user: new Tools({ userId }), or the header Svc-User-Id`,
        toolkit.id,
      );
    const rows = await this.#rows.store.ofOwner(toolkit.id, owner);
    const [first] = rows;
    if (!first) throw await this.required(ask, `Toolkit "${toolkit.id}" needs an account, which is not connected yet`);
    const chosen = name === undefined ? defaultOf(rows) : rows.find((row) => row.name === name);
    if (chosen) return chosen;
    const names = rows.map((row) => row.name).sort();
    if (name !== undefined) throw await this.#required(ask, `There is no connection "${name}" of toolkit "${toolkit.id}"`, names);
    const choice = `name one of them (connectionNames of Tools, or the header Svc-Connection-Names), or make one the default`;
    throw mustConnect(`Toolkit "${toolkit.id}" has ${rows.length} connections that fit: ${names.join(', ')}; ${choice}`, toolkit.id, {
      connections: names,
    });
  }

  async #usable(row: ConnectionRecord, secret: KeptSecret, auth: ToolkitAuth): Promise<CallConnection> {
    const fresh = secret.type === 'oauth2' ? await this.#refresh.fresh(row, secret) : row;
    return fresh === row ? toCallConnection(row, secret, auth) : this.#connectionOf(fresh, auth);
  }

  #connectionOf(row: ConnectionRecord, auth: ToolkitAuth): CallConnection {
    const secret = this.#rows.secretOf(row);
    if (!secret) throw new ConnectionEnded('The service cannot read its stored secret any more');
    return toCallConnection(row, secret, auth);
  }

  async #required(ask: ConnectionAsk, reason: string, connections?: string[]): Promise<SvcError> {
    const { toolkit, agentKeyId, userId, owner, name = DEFAULT_CONNECTION } = ask;
    const link = owner === undefined ? undefined : await this.#makeLink({ toolkit, agentKeyId, userId, owner, name });
    const { help } = toolkit.auth;
    const how = link
      ? `. Connect it at ${link.url}, by ${link.expiresAt}, and make the same call again`
      : owner === undefined
        ? ''
        : `. ${NO_CONNECT_PAGE}`;
    return mustConnect(reason + how, toolkit.id, { ...(help !== undefined && { help }), ...link, ...(connections && { connections }) });
  }
}

/** The only one, or the default of several. */
function defaultOf(rows: readonly ConnectionRecord[]): ConnectionRecord | undefined {
  return rows.length === 1 ? rows[0] : rows.find((row) => row.isDefault);
}

function hasSameSecret(one: CallConnection, other: CallConnection): boolean {
  return one.secrets.some((secret) => other.secrets.includes(secret));
}

/** The provider gave it for a refresh token. The first one, of the sign-in, may be refreshed at once. */
function isJustRefreshed({ connectedAt, refreshedAt, expiresAt, readAt }: ConnectionRecord): boolean {
  const life = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - refreshedAt;
  return refreshedAt - connectedAt > SAME_TIME_MS && readAt - refreshedAt < Math.min(NEW_TOKEN_MS, life / 2);
}

/** Only the user of the account can mend it. */
function isForUser(error: unknown): error is Error {
  return error instanceof ConnectionEnded || (error instanceof ProviderError && error.mender === 'user');
}

function mustConnect(message: string, toolkit = '', connect: Omit<RequiredConnection, 'toolkit'> = {}): SvcError {
  return new SvcError('CONNECTION_REQUIRED', message, toolkit === '' ? {} : { connect: { toolkit, ...connect } });
}

function unavailable(toolkitId: string, error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const message = `The account of toolkit "${toolkitId}" cannot be used now: ${error.message}`;
  return new SvcError('SERVICE_UNAVAILABLE', message, { retryable: error.mender === 'provider' }, { cause: error });
}
