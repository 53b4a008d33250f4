/** The processes or HTTP sessions of one MCP server: one shared, or one for each agent key or user. */
import type { ActionContext } from 'svc-sdk';
import type { McpConfig } from './config';
import { DEFAULT_IDLE_MINUTES, Upstream, type UpstreamOptions } from './upstream';
import { UpstreamError } from './upstream-error';

const DEFAULT_MAX_SESSIONS = 8;

type Caller = Pick<ActionContext, 'agentId' | 'userId'>;

export class Upstreams {
  /** Lists the actions, and runs the calls of all callers without separate sessions. */
  readonly shared: Upstream;
  readonly #config: McpConfig;
  readonly #options: UpstreamOptions;
  readonly #owned = new Map<string, Upstream>();
  #ended: Promise<unknown> = Promise.resolve();

  constructor(config: McpConfig, options: UpstreamOptions) {
    this.#config = config;
    this.#options = options;
    this.shared = new Upstream(config, options);
  }

  /** Throws UPSTREAM_UNREACHABLE while too many other sessions have state, and USER_REQUIRED for a call without the required user. */
  for(caller: Caller): Upstream {
    const { one } = this.#config;
    if (one === undefined) return this.shared;
    const owner = one === 'agent' ? caller.agentId : `${caller.agentId} ${requireUser(caller)}`;
    return this.#owned.get(owner) ?? this.#add(owner, one);
  }

  async close(): Promise<void> {
    await Promise.all([this.#ended, this.shared.close(), ...[...this.#owned.values()].map((upstream) => upstream.close())]);
  }

  #add(owner: string, one: 'agent' | 'user'): Upstream {
    this.#removeEnded();
    const { maxSessions = DEFAULT_MAX_SESSIONS, idleMinutes = DEFAULT_IDLE_MINUTES } = this.#config;
    // Ending another caller's session would silently lose its state.
    if (this.#owned.size >= maxSessions) {
      const message =
        `The MCP server keeps a session for each ${one}, and ${maxSessions} have one, which is its limit (maxSessions). ` +
        `A session ends after ${idleMinutes} minutes without a call: try again later`;
      throw new UpstreamError('UPSTREAM_UNREACHABLE', message, { retryable: true });
    }
    const upstream = new Upstream(this.#config, this.#options);
    this.#owned.set(owner, upstream);
    return upstream;
  }

  #removeEnded(): void {
    for (const [owner, upstream] of this.#owned) {
      if (upstream.isOpen) continue;
      this.#owned.delete(owner);
      this.#ended = Promise.all([this.#ended, upstream.close()]);
    }
  }
}

function requireUser({ userId }: Caller): string {
  if (userId !== undefined) return userId;
  throw new UpstreamError(
    'USER_REQUIRED',
    "The MCP server keeps a session for each user, and the call names no user: the agent's developer sets userId (header Svc-User-Id, variable SVC_USER_ID)",
  );
}
