/**
 * The replicas that are connected to this node, with their load and queues.
 *
 * Shape: toolkit id -> its replicas and its queue. A toolkit stays in the directory after its last replica has left.
 */
import { parseActionId } from '#sdk/protocol/ids';
import type { Limits } from '#sdk/protocol/limits';
import type { Attempt } from './attempt';
import type { OtherNodes } from './other-nodes';
import type { ReplicaDescription } from './replica';
import { type PlaceRequest, type Slot, ToolkitReplicas, type Waiter } from './toolkit-replicas';

export interface ReplicaDirectoryDeps {
  limits: Pick<Limits, 'queueLength' | 'invocationsPerToolkit'>;
  otherNodes: Pick<OtherNodes, 'running'>;
}

export class ReplicaDirectory {
  readonly #limits: ReplicaDirectoryDeps['limits'];
  readonly #otherNodes: ReplicaDirectoryDeps['otherNodes'];
  readonly #toolkits = new Map<string, ToolkitReplicas>();
  readonly #listeners: ((toolkitId: string) => void)[] = [];
  #onOtherVersion: (toolkitId: string) => void = () => {};

  constructor({ limits, otherNodes }: ReplicaDirectoryDeps) {
    this.#limits = limits;
    this.#otherNodes = otherNodes;
  }

  /** Calls back when this node's offer of a toolkit changes. */
  onChange(listener: (toolkitId: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls back when a call is refused because the catalogue shows another version of its action than the replicas here. */
  onOtherVersion(listener: (toolkitId: string) => void): void {
    this.#onOtherVersion = listener;
  }

  /** Call this after a change of this node's offer of the toolkit. */
  changed(toolkitId: string): void {
    this.#toolkits.get(toolkitId)?.refuseUnoffered();
    for (const listener of this.#listeners) listener(toolkitId);
  }

  of(toolkitId: string): ToolkitReplicas {
    let replicas = this.#toolkits.get(toolkitId);
    if (!replicas) {
      replicas = new ToolkitReplicas(
        toolkitId,
        this.#limits,
        () => this.#otherNodes.running(toolkitId),
        () => this.#onOtherVersion(toolkitId),
      );
      this.#toolkits.set(toolkitId, replicas);
    }
    return replicas;
  }

  isOnline(actionId: string): boolean {
    const id = parseActionId(actionId);
    return id !== undefined && (this.#toolkits.get(id.toolkitId)?.offers(id.actionName) ?? false);
  }

  /** See `ToolkitReplicas.reserve`. */
  reserve(toolkitId: string, request: PlaceRequest, waiter: Waiter): Slot | Promise<Slot> {
    return this.of(toolkitId).reserve(request, waiter);
  }

  /** Call this when a limit that all nodes share may have room. */
  pump(): void {
    for (const replicas of this.#toolkits.values()) replicas.pump();
  }

  /** Asks the handler to stop, again after each reconnect of its instance. */
  cancel(attempt: Attempt, reason: 'cancelled' | 'timeout'): void {
    attempt.cancelled = reason;
    for (const replica of this.of(attempt.request.toolkitId).byInstance.values()) {
      if (replica.running.has(attempt.id)) replica.sendCancel(attempt);
    }
  }

  /** Connected instances of the toolkit. */
  count(toolkitId: string): number {
    return this.#toolkits.get(toolkitId)?.online ?? 0;
  }

  /** This node's offer of a toolkit. */
  offer(toolkitId: string): { replicas: number; actions: string[] } {
    return this.#toolkits.get(toolkitId)?.offer() ?? { replicas: 0, actions: [] };
  }

  /** Toolkits that have, or had, a connected instance. */
  toolkitIds(): Iterable<string> {
    return this.#toolkits.keys();
  }

  onlineToolkits(): number {
    let count = 0;
    for (const { online } of this.#toolkits.values()) if (online > 0) count++;
    return count;
  }

  /** Running calls at this node, by toolkit. */
  *runningByToolkit(): Iterable<[toolkitId: string, running: number]> {
    for (const [toolkitId, { inFlight }] of this.#toolkits) if (inFlight > 0) yield [toolkitId, inFlight];
  }

  /** Running and queued calls of these toolkits. Default: all. */
  load(toolkitIds: Iterable<string> = this.toolkitIds()): { running: number; queued: number } {
    const load = { running: 0, queued: 0 };
    for (const id of toolkitIds) {
      const { running, queued } = this.#toolkits.get(id) ?? { running: 0, queued: 0 };
      load.running += running;
      load.queued += queued;
    }
    return load;
  }

  /** The connected instances of these toolkits. */
  processes(toolkitIds: Iterable<string>): ReplicaDescription[] {
    return Array.from(toolkitIds, (id) => [...(this.#toolkits.get(id)?.byInstance.values() ?? [])])
      .flat()
      .flatMap(({ description }) => (description ? [description] : []));
  }
}
