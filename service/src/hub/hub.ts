/**
 * The facade of the hub: sockets, registrations, replicas and the lifecycle of instances. Calls use the methods of `Hub`; every other room
 * uses the part that it needs.
 */
import type { Duplex } from 'node:stream';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { WebSocket } from 'ws';
import type { Limits } from '#sdk/protocol/limits';
import type { Logger } from '../lib/logger';
import { UnfinishedMessages } from '../lib/unfinished-messages';
import type { Attempt } from './attempt';
import type { HandlerUsers, ToolkitOwner } from './handler-users';
import { InstanceLifecycle, type RegisteredInstance } from './instance-lifecycle';
import type { OtherNodes } from './other-nodes';
import { RefusedSockets } from './refused-sockets';
import { Registrations, type Registry } from './registrations';
import { ReplicaDirectory } from './replica-directory';
import { ToolkitConnection, type ToolkitConnectionDeps } from './toolkit-connection';
import { type OutcomeStore, type RenewConnection, ToolkitMethods } from './toolkit-methods';
import type { PlaceRequest, Slot, Waiter } from './toolkit-replicas';
import { ToolkitSockets } from './toolkit-sockets';

export interface HubDeps {
  registry: Registry;
  otherNodes: OtherNodes;
  outcomes: OutcomeStore;
  renewConnection: RenewConnection;
  /** Counts changes of the catalogue by toolkit key. */
  changes: RateLimiterAbstract;
  users: HandlerUsers;
  limits: Limits;
  logger: Logger;
}

export interface HubActivity {
  sockets: number;
  onlineToolkits: number;
  /** Invocations that were sent and have no outcome yet. */
  running: number;
  /** Calls that wait for a free replica. */
  queued: number;
  /** Number of `drain` requests since the start. */
  drains: number;
}

export class Hub {
  readonly sockets: ToolkitSockets;
  readonly replicas: ReplicaDirectory;
  readonly instances: InstanceLifecycle;
  readonly registrations: Registrations;
  readonly #methods: ToolkitMethods;
  readonly #connectionDeps: Omit<ToolkitConnectionDeps, 'share'>;

  constructor({ registry, otherNodes, outcomes, renewConnection, changes, users, limits, logger }: HubDeps) {
    const sockets = new ToolkitSockets(otherNodes);
    const directory = new ReplicaDirectory({ limits, otherNodes });
    const instances = new InstanceLifecycle({ directory, registry, limits });
    const registrations = new Registrations({ registry, directory, sockets, instances, otherNodes, changes, limits });
    const restore = (toolkitId: string) => {
      const message = 'cannot restore the actions of the connected processes in the catalogue';
      registrations.restore(toolkitId).catch((error: unknown) => logger.error({ error, toolkit: toolkitId }, message));
    };
    instances.onLeft(restore);
    // The process may have disconnected from another node.
    directory.onOtherVersion(restore);
    this.sockets = sockets;
    this.replicas = directory;
    this.instances = instances;
    this.registrations = registrations;
    this.#methods = new ToolkitMethods({ registrations, directory, sockets, instances, outcomes, renewConnection, limits });
    const unfinished = new UnfinishedMessages(limits.unfinishedFrameBytes);
    this.#connectionDeps = { unfinished, refused: new RefusedSockets(), users, limits, logger };
  }

  /** Serves a toolkit's socket whose key is authenticated. */
  accept(socket: { webSocket: WebSocket; stream: Duplex }, owner: ToolkitOwner): void {
    const share = this.sockets.shareOf(owner.keyId);
    this.sockets.add(new ToolkitConnection(socket, owner, this.#methods, { ...this.#connectionDeps, share }));
  }

  activity(): HubActivity {
    return {
      sockets: this.sockets.size,
      onlineToolkits: this.replicas.onlineToolkits(),
      ...this.replicas.load(),
      drains: this.#methods.drains,
    };
  }

  isOnline(actionId: string): boolean {
    return this.replicas.isOnline(actionId);
  }

  /** Whether a replica of this node offers the action, busy or not. */
  offers(toolkitId: string, actionName: string, version: string | undefined): boolean {
    return this.replicas.of(toolkitId).offers(actionName, version);
  }

  /** True when `reserve` would return a slot synchronously. */
  isFree(toolkitId: string, actionName: string, version: string | undefined): boolean {
    return this.replicas.of(toolkitId).isFree(actionName, version);
  }

  /** Undefined when no replica is free. */
  reserveNow(toolkitId: string, actionName: string, version: string | undefined): Slot | undefined {
    return this.replicas.of(toolkitId).reserveNow(actionName, version);
  }

  /** See `ToolkitReplicas.reserve`. */
  reserve(toolkitId: string, request: PlaceRequest, waiter: Waiter): Slot | Promise<Slot> {
    return this.replicas.reserve(toolkitId, request, waiter);
  }

  /** Gives free slots to waiting calls. */
  pump(): void {
    this.replicas.pump();
  }

  cancel(attempt: Attempt, reason: 'cancelled' | 'timeout'): void {
    this.replicas.cancel(attempt, reason);
  }

  /** Keeps an attempt that an earlier process of the service sent until an instance lists it. The attempt is lost after `graceMs`. */
  adopt(attempt: Attempt, graceMs: number): void {
    this.instances.adopt(attempt, graceMs);
  }

  instanceMoved(registered: RegisteredInstance): void {
    this.instances.moved(registered);
  }

  close(): void {
    this.instances.close();
    this.sockets.close();
  }
}
