/**
 * Refreshes access tokens: once for all callers and all nodes, since many providers end a grant when a refresh token comes twice.
 *
 * In a process, the callers share one promise. Between nodes, a claim in the row admits one. It lapses, because its node may die. Only the provider's
 * `invalid_grant` for the newest version ends a connection: a failure of the network says nothing about the grant. After a failure the next try waits
 * for a while, so that calls do not flood a provider that is down.
 *
 * Errors: ConnectionEnded when only its user can mend it; ProviderError while it cannot be refreshed.
 */
import { setTimeout } from 'node:timers/promises';
import type { Audit } from '../audit/audit';
import type { ConnectionRecord } from '../store/connection-store';
import { isUnavailable } from '../store/store-unavailable';
import { ConnectionEnded } from './connection-ended';
import type { GrantRequests } from './grant-requests';
import type { OAuthGrant } from './kept-secret';
import type { ProviderTokens } from './provider';
import { ProviderError } from './provider-error';
import type { StoredConnections } from './stored-connections';

/** A token is refreshed so long before its end, or a quarter of its life if that is shorter. */
const MARGIN_MS = 60_000;
/** Some providers end grants that are idle. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** A request to a provider takes 10 s at most; the rest is for storing the answer. */
const CLAIM_MS = 15_000;
const STORING_MS = 4_000;
const STORING_PAUSE_MS = 200;
/** After a failure, calls get that failure for so long. */
const PAUSE_MS = 5_000;
/** Interval of looking whether another node has refreshed the token. */
const POLL_MS = 25;
/** A call with a token that is still good does not wait longer for its successor. */
const MAX_WAIT_MS = 1_000;

const PROVIDER = { kind: 'command', name: 'The provider' } as const;

export interface TokenRefreshDeps {
  rows: StoredConnections;
  grants: Pick<GrantRequests, 'refresh'>;
  audit: Audit;
}

export class TokenRefresh {
  readonly #rows: StoredConnections;
  readonly #grants: TokenRefreshDeps['grants'];
  readonly #audit: Audit;
  /** The refreshes of this process, by connection. */
  readonly #running = new Map<string, Promise<ConnectionRecord>>();

  constructor({ rows, grants, audit }: TokenRefreshDeps) {
    this.#rows = rows;
    this.#grants = grants;
    this.#audit = audit;
  }

  /** The connection with a token that a call may use. */
  async fresh(row: ConnectionRecord, grant: OAuthGrant): Promise<ConnectionRecord> {
    if (!isDue(row)) return row;
    if (grant.refreshToken === undefined) {
      if (!isOver(row)) return row;
      throw new ConnectionEnded('Its access has expired, and the provider gave no refresh token');
    }
    const refreshed = this.now(row);
    if (isOver(row)) return refreshed;
    const orLater = Promise.race([refreshed, setTimeout(MAX_WAIT_MS, row, { ref: false })]);
    return orLater.catch((error: unknown) => {
      if (error instanceof ConnectionEnded) throw error;
      return row;
    });
  }

  /** A newer version of the connection than this one. */
  now(row: ConnectionRecord): Promise<ConnectionRecord> {
    let running = this.#running.get(row.id);
    if (!running) {
      running = this.#refresh(row).finally(() => this.#running.delete(row.id));
      // A caller may have gone on with the present token.
      running.catch(() => {});
      this.#running.set(row.id, running);
    }
    return running;
  }

  /** Resolves when the refreshes of this process have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async #refresh(row: ConnectionRecord): Promise<ConnectionRecord> {
    const { store } = this.#rows;
    if (row.faultAt !== null && row.readAt - row.faultAt < PAUSE_MS) throw failureOf(row);
    for (let seen = row; ; ) {
      if (await store.claimRefresh(row.id, { version: row.version, forMs: CLAIM_MS })) return this.#exchange(seen);
      await setTimeout(POLL_MS);
      const present = await this.#present(row);
      if (present.version > row.version) return present;
      if (present.fault !== null && present.faultAt !== seen.faultAt) throw failureOf(present);
      seen = present;
    }
  }

  /** Uses the refresh token of a version that this node has claimed. */
  async #exchange(row: ConnectionRecord): Promise<ConnectionRecord> {
    const grant = this.#rows.secretOf(row);
    if (grant?.type !== 'oauth2' || grant.refreshToken === undefined) throw new ConnectionEnded('It has no refresh token');
    let tokens: ProviderTokens;
    try {
      tokens = await this.#grants.refresh(row, { ...grant, refreshToken: grant.refreshToken });
    } catch (error) {
      return this.#refused(row, error);
    }
    const { token, refreshToken = grant.refreshToken, expiresInMs = null, scopes = row.scopes } = tokens;
    const sealed = this.#rows.seal(row, { ...grant, token, refreshToken });
    await this.#untilStored(() => this.#rows.store.refreshed(row.id, row.version, { ...sealed, scopes, expiresInMs }));
    return this.#present(row);
  }

  async #refused(row: ConnectionRecord, error: unknown): Promise<ConnectionRecord> {
    const { store } = this.#rows;
    if (!(error instanceof ProviderError && error.isGrantEnded)) {
      const mender = error instanceof ProviderError ? error.mender : 'provider';
      await store.refreshFailed(row.id, row.version, error instanceof Error ? error.message : String(error), mender);
      throw error;
    }
    const fault = `${error.message}${isAfterCrash(row) ? '. A node stopped while it refreshed this connection, so its new token may be lost' : ''}`;
    if (await store.end(row.id, row.version, fault)) {
      const { id: connection, owner, name, account } = row;
      await this.#audit.write(PROVIDER, 'connection.end', row.toolkitId, { connection, owner, name, account, why: fault });
    }
    return this.#present(row);
  }

  async #present({ id }: ConnectionRecord): Promise<ConnectionRecord> {
    const present = await this.#rows.store.find(id);
    if (!present) throw new ConnectionEnded('It was removed');
    if (present.status === 'ended') throw new ConnectionEnded(present.fault ?? 'Its provider ended it');
    return present;
  }

  /** The provider takes the former token no longer, so an answer that is not stored would cost the connection. */
  async #untilStored(store: () => Promise<boolean>): Promise<void> {
    for (const endAt = performance.now() + STORING_MS; ; ) {
      try {
        await store();
        return;
      } catch (error) {
        if (!isUnavailable(error) || performance.now() > endAt) throw error;
        await setTimeout(STORING_PAUSE_MS);
      }
    }
  }
}

function isDue({ expiresAt, refreshedAt, readAt }: ConnectionRecord): boolean {
  if (readAt - refreshedAt > MAX_AGE_MS) return true;
  return expiresAt !== null && expiresAt - readAt < Math.min(MARGIN_MS, (expiresAt - refreshedAt) / 4);
}

function isOver({ expiresAt, readAt }: ConnectionRecord): boolean {
  return expiresAt !== null && expiresAt <= readAt;
}

/** The last failure, as this or another node recorded it. */
function failureOf({ fault, faultMender }: ConnectionRecord): ProviderError {
  return new ProviderError(fault ?? '', { mender: faultMender ?? 'provider' });
}

/** The claim of another node lapsed. */
function isAfterCrash({ refreshingUntil, readAt }: ConnectionRecord): boolean {
  return refreshingUntil > 0 && refreshingUntil <= readAt;
}
