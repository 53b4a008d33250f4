/** The processes full of idle toolkits, seen from the bench. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WorkerProcess } from '../common/worker-process.ts';
import type { ToolkitCounts } from './idle-toolkit.ts';
import type { SocketJob } from './job.ts';

const POLL_MS = 50;

export interface CrowdOptions {
  /** `http://host:port` of the nodes; a toolkit begins with the first, and moves to the next at each connect. */
  origins: string[];
  keys: string[];
  replicas: number;
  /** Actions of each toolkit. Default: 1. */
  actions?: number;
}

export class ToolkitCrowd {
  readonly #processes: WorkerProcess<SocketJob, ToolkitCounts>[];

  constructor(processes: number) {
    const file = fileURLToPath(new URL('toolkits-process.ts', import.meta.url));
    this.#processes = Array.from({ length: processes }, () => new WorkerProcess(file));
  }

  /** Resolves when all are registered. */
  async open({ origins, keys, replicas, actions }: CrowdOptions): Promise<void> {
    const addresses = origins.map((origin) => {
      const { hostname, port } = new URL(origin);
      return { host: hostname, port: Number(port) };
    });
    const share = (index: number) => keys.filter((_, place) => place % this.#processes.length === index);
    await Promise.all(this.#processes.map((it, index) => it.run({ do: 'open', addresses, keys: share(index), replicas, actions })));
  }

  async count(): Promise<ToolkitCounts> {
    return this.#all({ do: 'count' });
  }

  async cut(): Promise<void> {
    await this.#all({ do: 'cut' });
  }

  async close(): Promise<void> {
    await this.#all({ do: 'close' });
  }

  /**
   * Resolves, in milliseconds from now, with when `half` and `all` toolkits were registered again, after `lose` has taken all their connections;
   * NaN for what did not happen in time.
   */
  async untilBack(lose: () => Promise<void>, patienceMs: number): Promise<{ halfMs: number; allMs: number }> {
    const before = await this.count();
    const startedAt = performance.now();
    await lose();
    let halfMs = Number.NaN;
    for (let nowMs = 0; nowMs < patienceMs; await sleep(POLL_MS)) {
      const { registered, lost } = await this.count();
      nowMs = performance.now() - startedAt;
      if (lost - before.lost < before.registered) continue;
      if (registered >= before.registered / 2 && Number.isNaN(halfMs)) halfMs = nowMs;
      if (registered >= before.registered) return { halfMs, allMs: nowMs };
    }
    return { halfMs, allMs: Number.NaN };
  }

  stop(): void {
    for (const it of this.#processes) it.stop();
  }

  async #all(job: SocketJob): Promise<ToolkitCounts> {
    return sumOf(await Promise.all(this.#processes.map((it) => it.run(job))));
  }
}

function sumOf(parts: ToolkitCounts[]): ToolkitCounts {
  const sum: ToolkitCounts = { registered: 0, beats: 0, unanswered: 0, lost: 0, refused: {} };
  for (const { registered, beats, unanswered, lost, refused } of parts) {
    sum.registered += registered;
    sum.beats += beats;
    sum.unanswered += unanswered;
    sum.lost += lost;
    for (const [reason, count] of Object.entries(refused)) sum.refused[reason] = (sum.refused[reason] ?? 0) + count;
  }
  return sum;
}
