/**
 * The connection with which a call acts: the caller's credential, or a kept connection. It is found before the call is claimed, so a call
 * without one leaves nothing behind.
 *
 * Errors: CONNECTION_REQUIRED, with the way to connect in `connect`.
 */
import type { Credential, ToolkitAuth } from '#sdk/protocol/connections';
import { SvcError } from '#sdk/protocol/errors';
import type { Catalog } from '../catalog/catalog';
import { type CallConnections, type ConnectedToolkit, type ConnectionAsk, isConnected } from '../connections/call-connections';
import type { UsedConnection } from '../hub/attempt';
import type { CallingKey } from '../keys/agent-tokens';
import type { CallerIds } from '../keys/caller-ids';
import { CallConnection } from '../lib/call-connection';
import type { CallerCredentials } from '../lib/caller-credentials';
import type { ActionRecord } from '../store/store';

/** The parts of a request that decide about its connection. */
export interface ConnectedRequest {
  key: CallingKey;
  callerIds?: CallerIds | undefined;
  credentials?: CallerCredentials | undefined;
  connectionNames?: ReadonlyMap<string, string> | undefined;
}

export interface RequiredConnectionsDeps {
  catalog: Pick<Catalog, 'toolkit'>;
  connections: CallConnections;
}

export class RequiredConnections {
  readonly #catalog: RequiredConnectionsDeps['catalog'];
  readonly #kept: CallConnections;

  constructor({ catalog, connections }: RequiredConnectionsDeps) {
    this.#catalog = catalog;
    this.#kept = connections;
  }

  /** Undefined for an action that needs no connection. */
  askOf(request: ConnectedRequest, action: ActionRecord): ConnectionAsk | undefined {
    if (action.auth === false) return undefined;
    const toolkit = this.#catalog.toolkit(action.toolkitId);
    if (!isConnected(toolkit)) return undefined;
    const userId = userOf(request);
    const name = request.connectionNames?.get(toolkit.id);
    return { toolkit, action, owner: ownerOf(toolkit.auth, request.key, userId), agentKeyId: request.key.id, userId, name };
  }

  async open(ask: ConnectionAsk, { credentials }: ConnectedRequest): Promise<UsedConnection> {
    const { id, auth } = ask.toolkit;
    return auth.from === 'caller' ? { connection: sentConnection(ask.toolkit, credentials?.of(id)) } : this.#kept.open(ask);
  }

  /** The error of a handler that could not use the account. */
  async refusedByHandler(ask: ConnectionAsk, { message }: SvcError): Promise<SvcError> {
    return ask.toolkit.auth.from === 'caller' ? callerMustConnect(ask.toolkit, message) : this.#kept.required(ask, message);
  }
}

function sentConnection(toolkit: ConnectedToolkit, credential: Credential | undefined): CallConnection {
  if (!credential)
    throw callerMustConnect(toolkit, `Toolkit "${toolkit.id}" acts with the account of its caller, and this call brings none`);
  const connection = CallConnection.from(credential, toolkit.auth);
  if (connection) return connection;
  throw callerMustConnect(
    toolkit,
    `Toolkit "${toolkit.id}" needs a credential of type ${toolkit.auth.type}, and the call brings another one`,
  );
}

function callerMustConnect({ id, auth }: ConnectedToolkit, reason: string): SvcError {
  const connect = { toolkit: id, ...(auth.help !== undefined && { help: auth.help }) };
  return new SvcError('CONNECTION_REQUIRED', `${reason}. Send it with the call: the option connections of Tools, or Svc-Connections`, {
    connect,
  });
}

/** A page that holds a token without a user could name any user in a header, so that one does not count. */
function userOf({ key: { token }, callerIds }: ConnectedRequest): string | undefined {
  return token ? token.userId : callerIds?.userId;
}

function ownerOf({ from }: ToolkitAuth, { id, token, personId }: CallingKey, userId: string | undefined): string | undefined {
  switch (from) {
    case 'caller':
    case 'everyone':
      return 'everyone';
    case 'agent':
      return `agent:${id}`;
    case 'user':
      if (token?.grantId !== undefined) return userId === undefined ? undefined : `person:${userId}`;
      if (userId !== undefined) return `user:${id}:${userId}`;
      return personId === undefined ? undefined : `person:${personId}`;
  }
}
