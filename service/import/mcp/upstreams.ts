/** The processes or HTTP sessions of one MCP server: one shared, or one for each agent key, user or connection. */
import { createHash } from 'node:crypto';
import type { ActionConnection, ActionContext } from 'svc-sdk';
import type { CredentialPlace } from '../credential';
import { credentialOf } from '../with-connection';
import { isHttp, type McpConfig, type ServerLogListener } from './config';
import { AccountAccess, type ServerAccess } from './server-access';
import { DEFAULT_IDLE_MINUTES, Upstream, type UpstreamOptions } from './upstream';
import { UpstreamError } from './upstream-error';

const DEFAULT_MAX_SESSIONS = 8;
/** A session over HTTP costs this process little. */
const DEFAULT_MAX_ACCOUNTS = 100;

type Caller = Pick<ActionContext, 'agentId' | 'userId'>;

interface Session {
  upstream: Upstream;
  account: AccountAccess | undefined;
}

export class Upstreams {
  /** Lists the actions, and runs the calls of all callers without separate sessions. */
  readonly shared: Upstream;
  readonly #config: McpConfig;
  readonly #place: CredentialPlace | undefined;
  readonly #options: Omit<UpstreamOptions, 'onIdle'>;
  /** The last used one is last. */
  readonly #owned = new Map<string, Session>();
  #ended: Promise<unknown> = Promise.resolve();

  /** @param place of the connections' credentials; undefined: calls have none */
  constructor(config: McpConfig, options: Omit<UpstreamOptions, 'onIdle'>, place?: CredentialPlace) {
    this.#config = config;
    this.#place = place;
    this.#options = options;
    // A shared HTTP session costs nothing while it is idle.
    this.shared = new Upstream(config, { ...options, onIdle: isHttp(config) ? undefined : () => {} });
  }

  /**
   * Throws UPSTREAM_UNREACHABLE while too many other sessions have state, and USER_REQUIRED for a call without the required user.
   *
   * @param connection of the call: its session is never another connection's
   */
  for(caller: Caller, connection?: ActionConnection): Upstream {
    const { one } = this.#config;
    const place = this.#place;
    if (one === undefined && !(connection && place)) return this.shared;
    const owner = JSON.stringify([one && ownerOf(caller, one), connection && place && accountOf(caller, connection, place)]);
    const session = this.#owned.get(owner) ?? this.#open(owner, connection);
    this.#owned.delete(owner);
    this.#owned.set(owner, session);
    if (connection) session.account?.use(connection);
    return session.upstream;
  }

  async close(): Promise<void> {
    await Promise.all([this.#ended, this.shared.close(), ...[...this.#owned.values()].map(({ upstream }) => upstream.close())]);
  }

  #open(owner: string, connection: ActionConnection | undefined): Session {
    this.#removeEnded();
    this.#makeRoom();
    const { access: source } = this.#options;
    const account = connection && this.#place && new AccountAccess(this.#place, connection, source.redactor);
    const access: ServerAccess = account ?? source;
    const redacted =
      (listener: ServerLogListener): ServerLogListener =>
      ({ level, message }) =>
        listener({ level, message: access.redactor.text(message) });
    const options = { ...this.#options, access, log: redacted(this.#options.log), onMessage: redacted(this.#options.onMessage) };
    // Its secret goes with it.
    const upstream = new Upstream(this.#config, { ...options, onIdle: () => void this.#owned.delete(owner) });
    return { upstream, account };
  }

  #makeRoom(): void {
    const {
      one,
      maxSessions = one === undefined ? DEFAULT_MAX_ACCOUNTS : DEFAULT_MAX_SESSIONS,
      idleMinutes = DEFAULT_IDLE_MINUTES,
    } = this.#config;
    if (this.#owned.size < maxSessions) return;
    // Ending another caller's session would silently lose its state, which only `one` promises to keep.
    const [idle] = one === undefined ? [...this.#owned].filter(([, { upstream }]) => !upstream.isRunning) : [];
    if (idle) return this.#remove(...idle);
    const message =
      `The MCP server keeps a session for each ${one ?? 'connection'}, and ${maxSessions} have one, which is its limit (maxSessions). ` +
      `A session ends after ${idleMinutes} minutes without a call: try again later`;
    throw new UpstreamError('UPSTREAM_UNREACHABLE', message, { retryable: true });
  }

  #removeEnded(): void {
    for (const [owner, session] of this.#owned) if (!session.upstream.isOpen) this.#remove(owner, session);
  }

  #remove(owner: string, { upstream }: Session): void {
    this.#owned.delete(owner);
    this.#ended = Promise.all([this.#ended, upstream.close()]);
  }
}

function ownerOf(caller: Caller, one: 'agent' | 'user'): string[] {
  return one === 'agent' ? [caller.agentId] : [caller.agentId, requireUser(caller)];
}

function requireUser({ userId }: Caller): string {
  if (userId !== undefined) return userId;
  throw new UpstreamError(
    'USER_REQUIRED',
    "The MCP server keeps a session for each user, and the call names no user: the agent's developer sets userId (header Svc-User-Id, variable SVC_USER_ID)",
  );
}

/** A kept connection stays the same when its token is renewed. A caller's next token may be another account's. */
function accountOf({ agentId, userId = '' }: Caller, connection: ActionConnection, place: CredentialPlace): string[] {
  if (connection.id !== undefined) return [connection.id];
  const { value } = credentialOf(connection, place);
  return [agentId, userId, createHash('sha256').update(value).digest('base64')];
}
