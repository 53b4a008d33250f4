/**
 * Stored data of the connect page: links, flows, the OAuth clients of toolkits, and the settings of apps. Secrets are sealed; the store sees no key.
 *
 * Terms:  a *flow* is one try of a person to connect a toolkit: from the form of the page to the end of it.
 * Units:  times are milliseconds since the epoch, by the database's clock, as those of connections.
 * Errors: as in `store.ts`.
 */

import type { SealCount, SealedSecret } from './connection-store';

/** A link until it expires. */
export interface ConnectLinkRecord extends NewConnectLink {
  /** SHA-256 of the cookie of the browser that opened it; null: none did. */
  browserHash: string | null;
  /** Flows that began. */
  starts: number;
  createdAt: number;
  expiresAt: number;
}

export interface NewConnectLink {
  /** SHA-256 of the link's token, lower-case hex. */
  hash: string;
  /** The owner of the connection, as in `ConnectionRecord`. */
  owner: string;
  toolkits: string[];
  /** The name of the connection. */
  name: string;
  /** The agent key, the person or the admin key that asked for the link. */
  createdBy: string;
}

/**
 * `started`:  the browser is at the provider.
 * `checking`: the provider sent the browser back, and the service exchanges the code.
 * `awaiting`: the account is connected, and the app has not confirmed its user.
 * `done`:     the connection is stored.
 * `failed`:   `problem` says why. The person may try again.
 * `ended`:    for good, such as after a confirmation for another user.
 */
export type FlowStatus = 'started' | 'checking' | 'awaiting' | 'done' | 'failed' | 'ended';

export interface NewFlow extends SealedSecret {
  id: string;
  linkHash: string;
  toolkitId: string;
  owner: string;
  name: string;
  status: FlowStatus;
  browserHash: string;
  /** SHA-256 of the `state` at the provider; null for a form. */
  stateHash: string | null;
  /** SHA-256 of the code for the app; null before there is one. */
  codeHash: string | null;
}

export interface FlowRecord extends NewFlow {
  /** Why it failed, in words for people. */
  problem: string | null;
  createdAt: number;
  expiresAt: number;
  /** The time of this read. */
  readAt: number;
}

export interface FlowChange extends Partial<SealedSecret> {
  status: FlowStatus;
  codeHash?: string;
  problem?: string | null;
  /** The life of the flow from now. */
  forMs?: number;
}

/** The OAuth client of a toolkit. */
export interface ConnectionClientRecord {
  toolkitId: string;
  /** `owner`: the toolkit's owner set it. `registered`: the service registered itself. `document`: its id is the address of the service's document. */
  source: 'owner' | 'registered' | 'document';
  clientId: string;
  authMethod: 'basic' | 'post' | 'none';
  secret: SealedSecret | null;
  /** JSON. */
  endpoints: string;
  updatedAt: number;
}

export interface ConnectAppRecord {
  /** An agent key. */
  keyId: string;
  returnUrl: string | null;
  webhookUrl: string | null;
  /** Signs the messages to `webhookUrl`. */
  secret: SealedSecret | null;
}

export type WithSecret<Item> = Item & { secret: SealedSecret };

export interface ConnectStore {
  /** Removes the oldest links of the owner and creator that no browser opened, so that at most `max` remain. Returns the end of the new one. */
  addLink(link: NewConnectLink, options: { forMs: number; max: number }): Promise<number>;
  /** Undefined when it expired. */
  link(hash: string): Promise<ConnectLinkRecord | undefined>;
  /**
   * Begins a flow for this browser, for which the link then lives for `forMs`. False when another browser has the link, and after `maxStarts`
   * flows. Of two browsers at once one succeeds.
   */
  claimLink(hash: string, claim: { browserHash: string; maxStarts: number; forMs: number }): Promise<boolean>;
  /** Replaces the flow of the same link and toolkit that is at the provider or failed. */
  addFlow(flow: NewFlow, forMs: number): Promise<void>;
  flow(id: string): Promise<FlowRecord | undefined>;
  /** Undefined when it expired, as in the next two. */
  flowByState(stateHash: string): Promise<FlowRecord | undefined>;
  flowByCode(codeHash: string): Promise<FlowRecord | undefined>;
  /** Oldest first. */
  flowsOfLink(linkHash: string): Promise<FlowRecord[]>;
  /** False when the flow has another status than `from`. Of two concurrent changes one succeeds. */
  changeFlow(id: string, from: FlowStatus, change: FlowChange): Promise<boolean>;
  /** Counts a wrong code for all flows of the owner that await one. Ends and returns those that had `maxTries`. */
  countWrongCode(owner: string, maxTries: number): Promise<FlowRecord[]>;
  /** Removes expired links and flows, and clients of removed toolkits. Returns the flows, whose accounts may have to be revoked. */
  takeExpired(limit: number): Promise<FlowRecord[]>;

  client(toolkitId: string): Promise<ConnectionClientRecord | undefined>;
  /** The same, and that of a removed toolkit for a day, so that its tokens can be revoked. */
  presentOrRemovedClient(toolkitId: string): Promise<ConnectionClientRecord | undefined>;
  /** Adds or replaces it. */
  putClient(client: Omit<ConnectionClientRecord, 'updatedAt'>): Promise<void>;
  /** False when there is none. */
  removeClient(toolkitId: string): Promise<boolean>;

  /** Clients, also of removed toolkits, whose secret another secrets key than this one sealed. */
  clientsSealedByOthers(keyId: string): Promise<WithSecret<ConnectionClientRecord>[]>;
  /** Replaces the seal of a secret that stays the same. False when it has another seal than `before`. */
  resealClient(toolkitId: string, before: SealedSecret, seal: SealedSecret): Promise<boolean>;

  app(keyId: string): Promise<ConnectAppRecord | undefined>;
  apps(keyIds: readonly string[]): Promise<ConnectAppRecord[]>;
  /** Adds or replaces it. */
  putApp(app: ConnectAppRecord): Promise<void>;
  removeApp(keyId: string): Promise<void>;
  appsSealedByOthers(keyId: string): Promise<WithSecret<ConnectAppRecord>[]>;
  resealApp(keyId: string, before: SealedSecret, seal: SealedSecret): Promise<boolean>;

  /** The number of clients and apps whose secret each secrets key sealed. */
  sealCounts(): Promise<SealCount[]>;
}
