/**
 * The replicas of one toolkit, and the queue of calls that wait for a free replica, served round robin by agent key.
 *
 * Errors: `reserve` rejects with TOOLKIT_OFFLINE when no replica offers the action, ACTION_CHANGED when all replicas offer another version,
 *         QUEUE_FULL when the queue is full or the call makes room for another key, and with the waiter's own error when the waiter gives
 *         up.
 */
import { SvcError } from '#sdk/protocol/errors';
import { NO_ACTION_VERSION } from '#sdk/protocol/http';
import { formatActionId } from '#sdk/protocol/ids';
import type { Limits } from '#sdk/protocol/limits';
import { actionChanged } from '../catalog/action-version';
import { Mutex } from '../lib/mutex';
import type { Attempt, AttemptRequest } from './attempt';
import { FairQueue } from './fair-queue';
import type { Replica } from './replica';

/** The part of a call that selects its replica. `agentId` is the owner in the queue. */
export type PlaceRequest = Pick<AttemptRequest, 'actionName' | 'actionVersion' | 'agentId'>;

/** A slot on a replica. Call either `send` or `release`, once. */
export interface Slot {
  /** The instance of the replica. */
  readonly instance: string;
  /** False when the replica disconnected, drains, or removed or changed the action meanwhile. Nothing was sent then: reserve again. */
  send(attempt: Attempt): boolean;
  release(): void;
}

/** A caller that waits for a slot and may give up. */
export interface Waiter {
  readonly abandoned: SvcError | undefined;
  /** Returns the stop function. */
  whenAbandoned(listener: (error: SvcError) => void): () => void;
}

interface Waiting extends Pick<AttemptRequest, 'actionName' | 'actionVersion'> {
  admit(slot: Slot): void;
  refuse(error: SvcError): void;
}

class ReservedSlot implements Slot {
  readonly #replica: Replica;
  readonly #connection: Replica['connection'];
  readonly #replicas: ToolkitReplicas;
  #used = false;

  constructor(replica: Replica, replicas: ToolkitReplicas) {
    replica.reserved++;
    this.#replica = replica;
    this.#connection = replica.connection;
    this.#replicas = replicas;
  }

  get instance(): string {
    return this.#replica.instance;
  }

  send(attempt: Attempt): boolean {
    const replica = this.#replica;
    const { actionName, actionVersion } = attempt.request;
    if (!this.#free() || replica.connection !== this.#connection || !replica.offers(actionName, actionVersion)) return false;
    replica.send(attempt);
    return true;
  }

  release(): void {
    if (this.#free()) this.#replicas.pump();
  }

  #free(): boolean {
    if (this.#used) return false;
    this.#used = true;
    this.#replica.reserved--;
    return true;
  }
}

export class ToolkitReplicas {
  readonly toolkitId: string;
  readonly byInstance = new Map<string, Replica>();
  readonly #limits: Pick<Limits, 'queueLength' | 'invocationsPerToolkit'>;
  readonly #runningElsewhere: () => number;
  readonly #onOtherVersion: () => void;
  readonly #queue = new FairQueue<Waiting>();
  /** Serializes registrations: the actions to remove from the catalogue depend on the other replicas at that time. */
  readonly registrations = new Mutex();

  /**
   * @param runningElsewhere returns the number of the toolkit's calls at other nodes
   * @param onOtherVersion runs when a call is refused because the catalogue shows another version than the replicas here
   */
  constructor(
    toolkitId: string,
    limits: Pick<Limits, 'queueLength' | 'invocationsPerToolkit'>,
    runningElsewhere: () => number = () => 0,
    onOtherVersion: () => void = () => {},
  ) {
    this.toolkitId = toolkitId;
    this.#limits = limits;
    this.#runningElsewhere = runningElsewhere;
    this.#onOtherVersion = onOtherVersion;
  }

  /** The actions that are callable at this node now. */
  offer(): { replicas: number; actions: string[] } {
    const actions = new Set<string>();
    let replicas = 0;
    for (const replica of this.byInstance.values()) {
      if (!replica.isReady) continue;
      replicas++;
      for (const action of replica.actions.keys()) actions.add(action);
    }
    return { replicas, actions: [...actions] };
  }

  get inFlight(): number {
    let inFlight = 0;
    for (const { running, reserved } of this.byInstance.values()) inFlight += running.size + reserved;
    return inFlight;
  }

  /** Connected instances. */
  get online(): number {
    let count = 0;
    for (const replica of this.byInstance.values()) if (replica.connection) count++;
    return count;
  }

  /** Invocations that were sent and have no outcome yet. */
  get running(): number {
    let count = 0;
    for (const { running } of this.byInstance.values()) count += running.size;
    return count;
  }

  /** Calls that wait for a free replica. */
  get queued(): number {
    return this.#queue.size;
  }

  /** @param version default: any */
  offers(actionName: string, version?: string): boolean {
    for (const replica of this.byInstance.values()) if (replica.offers(actionName, version)) return true;
    return false;
  }

  isFree(actionName: string, version?: string): boolean {
    return this.#leastLoaded(actionName, version) !== undefined;
  }

  /** Undefined when no replica is free. */
  reserveNow(actionName: string, version?: string): Slot | undefined {
    const replica = this.#leastLoaded(actionName, version);
    return replica && new ReservedSlot(replica, this);
  }

  /** Returns a value instead of a promise when a replica is free, so the common case skips the queue. */
  reserve(request: PlaceRequest, waiter: Waiter): Slot | Promise<Slot> {
    const { actionName, actionVersion, agentId } = request;
    const slot = this.reserveNow(actionName, actionVersion);
    if (slot) return slot;
    if (!this.offers(actionName, actionVersion)) throw this.#notOffered(request);
    if (this.#queue.size >= this.#limits.queueLength) this.#makeRoomFor(agentId);
    return this.#wait(request, waiter);
  }

  /** Gives free slots to waiting calls: the oldest of each agent key in turn. */
  pump(): void {
    const blocked = new Set<string>();
    let replica: Replica | undefined;
    const mayLeave = ({ actionName, actionVersion }: Waiting): boolean => {
      const wanted = actionVersion === undefined ? actionName : `${actionName} ${actionVersion}`;
      if (blocked.has(wanted)) return false;
      replica = this.#leastLoaded(actionName, actionVersion);
      if (!replica) blocked.add(wanted);
      return replica !== undefined;
    };
    while (this.#queue.size > 0 && !this.#full) {
      const waiting = this.#queue.take(mayLeave);
      if (!waiting || !replica) return;
      waiting.admit(new ReservedSlot(replica, this));
    }
  }

  /** Refuses the waiting calls whose action, in the requested version, no replica offers any more. */
  refuseUnoffered(): void {
    if (this.#queue.size === 0) return;
    for (const waiting of this.#queue.items()) {
      if (this.offers(waiting.actionName, waiting.actionVersion)) continue;
      this.#queue.delete(waiting);
      waiting.refuse(this.#notOffered(waiting));
    }
  }

  get #full(): boolean {
    let inFlight = 0;
    let room = false;
    for (const { running, reserved, load } of this.byInstance.values()) {
      inFlight += running.size + reserved;
      room ||= load < 1;
    }
    return !room || inFlight + this.#runningElsewhere() >= this.#limits.invocationsPerToolkit;
  }

  #leastLoaded(actionName: string, version: string | undefined): Replica | undefined {
    let best: Replica | undefined;
    let inFlight = 0;
    for (const replica of this.byInstance.values()) {
      inFlight += replica.running.size + replica.reserved;
      if (!replica.offers(actionName, version) || replica.load >= 1) continue;
      if (!best || replica.load < best.load) best = replica;
    }
    return inFlight + this.#runningElsewhere() < this.#limits.invocationsPerToolkit ? best : undefined;
  }

  /** Drops the newest call of the key with the most waiting calls. Throws QUEUE_FULL when dropping would not be fairer. */
  #makeRoomFor(agentId: string): void {
    const dropped = this.#queue.dropFor(agentId);
    if (!dropped) throw this.#queueFull(`${this.#queue.size} calls wait for toolkit "${this.toolkitId}" already`);
    const message = `The queue of toolkit "${this.toolkitId}" is full and this key has the most calls in it: its newest call was dropped for a call of another key`;
    dropped.refuse(this.#queueFull(message));
  }

  #queueFull(message: string): SvcError {
    return new SvcError('QUEUE_FULL', message, { retryAfterMs: 1_000 });
  }

  #wait({ actionName, actionVersion, agentId }: PlaceRequest, waiter: Waiter): Promise<Slot> {
    return new Promise((resolve, reject) => {
      if (waiter.abandoned) return reject(waiter.abandoned);
      const stopListening = waiter.whenAbandoned((error) => {
        this.#queue.delete(waiting);
        reject(error);
      });
      const settle =
        <T>(done: (value: T) => void) =>
        (value: T) => {
          stopListening();
          done(value);
        };
      const waiting: Waiting = { actionName, actionVersion, admit: settle(resolve), refuse: settle(reject) };
      this.#queue.add(agentId, waiting);
    });
  }

  #notOffered({ actionName, actionVersion }: Pick<AttemptRequest, 'actionName' | 'actionVersion'>): SvcError {
    if (actionVersion === NO_ACTION_VERSION || this.offers(actionName)) {
      if (actionVersion !== NO_ACTION_VERSION) this.#onOtherVersion();
      const id = formatActionId(this.toolkitId, actionName);
      return actionChanged(id);
    }
    const message =
      this.online > 0
        ? `No running process of toolkit "${this.toolkitId}" offers "${actionName}" now; search again for another action`
        : `No process serves toolkit "${this.toolkitId}" now; try again later or search for another action`;
    return new SvcError('TOOLKIT_OFFLINE', message, { retryAfterMs: 1_000 });
  }
}
