/** The processes of one MCP server: one for all, or one for each agent key or user. */
import type { ActionContext } from 'svc-sdk';
import { isHttp, type McpConfig } from './config';
import { Upstream, type UpstreamEvents } from './upstream';
import { UpstreamError } from './upstream-error';

const MAX_UPSTREAMS = 8;

export class Upstreams {
  readonly #config: McpConfig;
  readonly #events: UpstreamEvents;
  /** Owner -> its process, the least recently used first. */
  readonly #upstreams = new Map<string, Upstream>();
  #ended: Promise<unknown> = Promise.resolve();

  constructor(config: McpConfig, events: UpstreamEvents) {
    this.#config = config;
    this.#events = events;
  }

  /** The one that lists the tools. */
  get shared(): Upstream {
    return this.#of('');
  }

  /** Throws UPSTREAM_UNREACHABLE while 8 others have calls. */
  for(caller: Pick<ActionContext, 'agentId' | 'userId'>): Upstream {
    return this.#of(this.#ownerOf(caller));
  }

  async close(): Promise<void> {
    await Promise.all([this.#ended, ...[...this.#upstreams.values()].map((upstream) => upstream.close())]);
  }

  #ownerOf({ agentId, userId = '' }: Pick<ActionContext, 'agentId' | 'userId'>): string {
    if (isHttp(this.#config) || this.#config.one === undefined) return '';
    return this.#config.one === 'agent' ? agentId : `${agentId} ${userId}`;
  }

  #of(owner: string): Upstream {
    const upstream = this.#upstreams.get(owner) ?? this.#add();
    this.#upstreams.delete(owner);
    this.#upstreams.set(owner, upstream);
    return upstream;
  }

  #add(): Upstream {
    if (this.#upstreams.size >= MAX_UPSTREAMS) this.#removeIdle();
    return new Upstream(this.#config, this.#events);
  }

  #removeIdle(): void {
    const idle = [...this.#upstreams].find(([, upstream]) => !upstream.isBusy);
    if (!idle) {
      const message = `${MAX_UPSTREAMS} processes of the MCP server have calls, and each caller has one of its own; try again later`;
      throw new UpstreamError('UPSTREAM_UNREACHABLE', message, { retryable: true });
    }
    const [owner, upstream] = idle;
    this.#upstreams.delete(owner);
    this.#ended = Promise.all([this.#ended, upstream.close()]);
  }
}
