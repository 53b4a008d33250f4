/**
 * Stored connections: accounts at the APIs behind toolkits. The secret of each is sealed; the store sees no key.
 *
 * Terms:  `version` counts the changes of the secret. A change names the version that it replaces, so of two concurrent ones one succeeds.
 * Units:  times are milliseconds since the epoch, by the one clock that all nodes share: the database's. The clock of a node may be wrong.
 * Errors: as in `store.ts`.
 */
import type { ToolkitAuth } from '#sdk/protocol/connections';

/** The secret of a connection, encrypted. */
export interface SealedSecret {
  /** Base64url. */
  sealed: string;
  /** Id of the secrets key that opens it. */
  sealedBy: string;
}

interface ConnectionSecret extends SealedSecret {
  /** How long the secret lives, in milliseconds from now. Null: unknown. */
  expiresInMs: number | null;
  /** As the provider states them, separated by spaces. */
  scopes: string;
}

/** An account that a person connects. */
export interface ConnectedAccount extends ConnectionSecret {
  type: ToolkitAuth['type'];
  /** The name of the account at the provider; '' if unknown. */
  account: string;
  /** The agent key or the person that connected it. */
  createdBy: string;
}

export interface NewConnection extends ConnectedAccount {
  id: string;
  toolkitId: string;
  owner: string;
  name: string;
}

/** The party that can mend the failure of a refresh. */
export type FaultMender = 'user' | 'owner' | 'provider';

export interface ConnectionRecord extends SealedSecret {
  /** `con_…`; ids sort by time. */
  id: string;
  toolkitId: string;
  /** `everyone`, `agent:<key id>`, `user:<key id>:<user id>` or `person:<person id>`. */
  owner: string;
  /** Unique for toolkit and owner. */
  name: string;
  isDefault: boolean;
  /** `ended`: its provider takes it no longer, so its user has to connect again. */
  status: 'live' | 'ended';
  type: ToolkitAuth['type'];
  version: number;
  scopes: string;
  account: string;
  /** Null: unknown. */
  expiresAt: number | null;
  /** When the secret was written. */
  refreshedAt: number;
  /** While a node refreshes the secret, the time after which another one may. 0: no node does. */
  refreshingUntil: number;
  createdAt: number;
  connectedAt: number;
  /** The last use, exact to a minute. Null: none. */
  usedAt: number | null;
  /** The last failure since the last success. */
  fault: string | null;
  faultAt: number | null;
  faultMender: FaultMender | null;
  createdBy: string;
  /** The time of this read. */
  readAt: number;
}

/** A member: the connections of their toolkits, of their agent keys with the users of these, and their own. */
export interface ConnectionViewer {
  toolkitIds: readonly string[];
  agentKeyIds: readonly string[];
  personId: string;
}

export interface ConnectionFilter {
  toolkitIds?: readonly string[] | undefined;
  owner?: string | undefined;
  /** Only what this member may see. */
  viewer?: ConnectionViewer | undefined;
  limit: number;
  /** Only connections that are older than the one with this id. */
  before?: string | undefined;
}

/** The number of secrets that a secrets key sealed. */
export interface SealCount {
  sealedBy: string;
  count: number;
}

export interface ConnectionStore {
  /** False while the owner has a connection of this toolkit with this name. */
  add(connection: NewConnection): Promise<boolean>;
  /** Connects an account again. False when the connection has another version. */
  replace(id: string, version: number, account: ConnectedAccount): Promise<boolean>;
  find(id: string): Promise<ConnectionRecord | undefined>;
  /** The connections of one owner to one toolkit, oldest first. */
  ofOwner(toolkitId: string, owner: string): Promise<ConnectionRecord[]>;
  /** Newest first. */
  list(filter: ConnectionFilter): Promise<ConnectionRecord[]>;
  /** How many connections of each toolkit ended: their users have to connect again. */
  ended(): Promise<{ toolkitId: string; connections: number }[]>;
  /** Records a use, at most once a minute. */
  used(id: string): Promise<void>;
  /** Makes it the one that calls without a name use. False when there is no such connection. */
  setDefault(id: string): Promise<boolean>;
  /** Lets one caller refresh this version for `forMs`. False while another one does, and when the connection ended or has another version. */
  claimRefresh(id: string, claim: { version: number; forMs: number }): Promise<boolean>;
  /** Stores the refreshed secret, and ends the claim. False when the connection has another version. */
  refreshed(id: string, version: number, secret: ConnectionSecret): Promise<boolean>;
  /** Ends the claim. The connection stays live. Nothing happens when it has another version. */
  refreshFailed(id: string, version: number, fault: string, mender: FaultMender): Promise<void>;
  /** False when the connection had ended, or has another version. */
  end(id: string, version: number, fault: string): Promise<boolean>;
  /** Removes it at once. Returns it, so that its tokens can be revoked. */
  remove(id: string): Promise<ConnectionRecord | undefined>;
  /** Deletes and returns connections whose toolkit, agent key or person was removed. */
  takeRemoved(limit: number): Promise<ConnectionRecord[]>;
  /** The number of connections that each secrets key sealed. */
  sealCounts(): Promise<SealCount[]>;
  /** Connections that another secrets key than this one sealed, in the order of their ids. */
  sealedByOthers(keyId: string, page: { after: string; limit: number }): Promise<ConnectionRecord[]>;
  /** Replaces the seal of a secret that stays the same. False when the secret has changed. */
  reseal(id: string, version: number, seal: SealedSecret): Promise<boolean>;
}
