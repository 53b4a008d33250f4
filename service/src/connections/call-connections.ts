/** The connections that the service keeps, as calls use them. */
import type { ToolkitAuth } from '#sdk/protocol/connections';
import type { SvcError } from '#sdk/protocol/errors';
import type { CallConnection } from '../lib/call-connection';
import type { ActionRecord, ToolkitRecord } from '../store/store';

/** A toolkit whose calls need a connection. */
export type ConnectedToolkit = ToolkitRecord & { auth: ToolkitAuth };

export function isConnected(toolkit: ToolkitRecord | undefined): toolkit is ConnectedToolkit {
  return toolkit?.auth !== undefined;
}

export interface ConnectionAsk {
  toolkit: ConnectedToolkit;
  action: ActionRecord;
  /** `everyone`, `agent:<key id>`, `user:<key id>:<user id>`, `person:<person id>`. Undefined: the caller named no user. */
  owner: string | undefined;
  agentKeyId: string;
  userId: string | undefined;
  /** The connection that the caller chose. */
  name: string | undefined;
}

/** `id`: the row of the connection. */
export interface KeptConnection {
  id: string;
  connection: CallConnection;
}

export interface CallConnections {
  /** Rejects with CONNECTION_REQUIRED, or SERVICE_UNAVAILABLE while a token cannot be refreshed. */
  open(ask: ConnectionAsk): Promise<KeptConnection>;
  /**
   * Refreshes a token that the API refused, unless the row has a newer one. Rejects with CONNECTION_REQUIRED when the account must be connected
   * again.
   */
  renew(id: string, refused: CallConnection): Promise<CallConnection>;
  /** The error for a call whose account the handler could not use. */
  required(ask: ConnectionAsk, reason: string): Promise<SvcError>;
}
