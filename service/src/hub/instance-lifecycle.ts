/**
 * State machine of an instance and its attempts: registered, disconnected, reconnected, moved to another node, or lost.
 *
 * Shape:  a disconnected instance keeps its attempts for `reconnectGraceMs`. After a reset, when the process most likely still runs,
 *         attempts that may not be repeated stay for `takeoverGraceMs`, since OUTCOME_UNKNOWN is final.
 * Errors: an attempt whose instance does not reconnect settles as gone; the call decides what follows.
 * Source: docs/protocol.md section 6, "Results".
 */
import { SvcError } from '#sdk/protocol/errors';
import { CLOSE_CODES, type RegisterParams } from '#sdk/protocol/frames';
import { formatActionId } from '#sdk/protocol/ids';
import type { Limits } from '#sdk/protocol/limits';
import { startGracePeriod } from '../lib/grace-period';
import type { ActionRecord } from '../store/store';
import type { Attempt } from './attempt';
import { OrphanedAttempts } from './orphaned-attempts';
import { Replica } from './replica';
import type { ReplicaDirectory } from './replica-directory';
import type { ToolkitConnection } from './toolkit-connection';

export interface RegisteredInstance {
  toolkitId: string;
  instance: string;
  unfinished: string[];
  /** See `RegisterParams`. */
  connection?: number | undefined;
  registered?: number | undefined;
}

/** Finds the attempts of listed invocations that the hub does not know and whose outcome is still needed. */
export type FindReturned = (toolkitId: string, ids: readonly string[]) => Promise<Attempt[]>;

/** Limit of unknown invocations in one registration: each needs a query of the store. */
const MAX_RETURNED = 5_000;

export interface InstanceLifecycleDeps {
  directory: ReplicaDirectory;
  registry: { mayRepeat(actionId: string): boolean };
  limits: Pick<Limits, 'reconnectGraceMs' | 'takeoverGraceMs'>;
}

export class InstanceLifecycle {
  readonly #directory: ReplicaDirectory;
  readonly #registry: InstanceLifecycleDeps['registry'];
  readonly #limits: InstanceLifecycleDeps['limits'];
  readonly #orphans = new OrphanedAttempts();
  /** Disconnected replica -> function that ends its grace period. */
  readonly #stopGrace = new Map<Replica, () => void>();
  readonly #listeners: ((registered: RegisteredInstance) => void)[] = [];
  readonly #leftListeners: ((toolkitId: string) => void)[] = [];
  #findReturned: FindReturned = async () => [];
  #closed = false;

  constructor({ directory, registry, limits }: InstanceLifecycleDeps) {
    this.#directory = directory;
    this.#registry = registry;
    this.#limits = limits;
  }

  /** Calls back when an instance has registered here. `unfinished` lists all of its unfinished invocations, whichever node sent them. */
  onRegistered(listener: (registered: RegisteredInstance) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls back when an instance has left. Other instances of the toolkit may have registered other versions of its actions. */
  onLeft(listener: (toolkitId: string) => void): void {
    this.#leftListeners.push(listener);
  }

  /** Sets the function that each registration calls before its instance is attached. */
  onReturned(find: FindReturned): void {
    this.#findReturned = find;
  }

  /** Keeps an attempt that an earlier process of the service sent until an instance lists it. The attempt is lost after `graceMs`. */
  adopt(attempt: Attempt, graceMs: number): void {
    this.#orphans.add(attempt, graceMs);
  }

  /** Keeps the attempts of an instance that left again while it registered. */
  keep(returned: readonly Attempt[]): void {
    for (const attempt of returned) {
      const { toolkitId, actionName } = attempt.request;
      this.adopt(attempt, graceMs(this.#registry.mayRepeat(formatActionId(toolkitId, actionName)), this.#limits));
    }
  }

  /** Attempts that an instance lists and this hub does not know: other nodes sent them, or their calls were given up here. */
  async returned(toolkitId: string, { instance, unfinished }: Pick<RegisterParams, 'instance' | 'unfinished'>): Promise<Attempt[]> {
    const { byInstance } = this.#directory.of(toolkitId);
    const asked = new Set<string>();
    const returned: Attempt[] = [];
    for (;;) {
      const running = byInstance.get(instance)?.running;
      const unknown = unfinished.filter((id) => !asked.has(id) && !running?.has(id) && !this.#orphans.has(id));
      const next = unknown.slice(0, MAX_RETURNED - asked.size);
      if (next.length === 0) return returned;
      for (const id of next) asked.add(id);
      // Meanwhile the grace period of others may end.
      const found = await this.#findReturned(toolkitId, next).catch((error: unknown) => {
        this.keep(returned);
        throw error;
      });
      returned.push(...found);
    }
  }

  /** Attaches a registered connection to its instance. Returns the attempts that never reached the instance, for `resume`. */
  attach(
    connection: ToolkitConnection,
    registration: Omit<RegisterParams, 'actions'>,
    { actions, returned }: { actions: ReadonlyMap<string, ActionRecord>; returned: readonly Attempt[] },
  ): { replica: Replica; missing: Attempt[] } {
    const { toolkitId } = connection;
    const { instance, unfinished } = registration;
    const { byInstance } = this.#directory.of(toolkitId);
    const replica = byInstance.get(instance) ?? new Replica(toolkitId, instance);
    const again = replica.connection === connection;
    if (!again) replica.connection?.close(CLOSE_CODES.replaced, 'this instance connected again');
    this.#endGrace(replica);
    for (const attempt of returned) replica.running.set(attempt.id, attempt);
    byInstance.set(instance, replica);
    const hasStayedHere = replica.hasStayedHere(registration);
    replica.attach(connection, registration, actions);
    if (again) return { replica, missing: [] };
    const missing = this.#missing(replica, new Set(unfinished), hasStayedHere);
    const { connection: number, registered } = registration;
    for (const listener of this.#listeners) listener({ toolkitId, instance, unfinished, connection: number, registered });
    return { replica, missing };
  }

  /** Runs after the answer to `register`: sends the attempts that never reached the instance, and repeats the cancels. */
  resume(replica: Replica, connection: ToolkitConnection, missing: readonly Attempt[]): void {
    if (replica.connection !== connection) return;
    for (const attempt of missing) replica.send(attempt);
    for (const attempt of replica.running.values()) replica.sendCancel(attempt);
    this.#directory.of(replica.toolkitId).pump();
  }

  /** @param wasReset see `ToolkitConnection.wasReset` */
  disconnected(replica: Replica, wasReset: boolean): void {
    replica.connection = undefined;
    if (this.#closed) return;
    const replicas = this.#directory.of(replica.toolkitId);
    if (replica.running.size === 0) replicas.byInstance.delete(replica.instance);
    else this.#startGrace(replica, this.#limits.reconnectGraceMs, () => (wasReset ? this.#loseRepeatable(replica) : this.#lose(replica)));
    replicas.pump();
    this.#left(replica.toolkitId);
  }

  /** Settles the attempts of an instance that has connected to another node, also those that were kept here until it connects. */
  moved({ toolkitId, instance, unfinished: ids, connection: number = Infinity, registered }: RegisteredInstance): void {
    for (const id of ids) this.#orphans.take(id, toolkitId)?.settle({ gone: 'moved' });
    const replicas = this.#directory.of(toolkitId);
    const replica = replicas.byInstance.get(instance);
    // A late message about an earlier connection: the instance has connected here since.
    if (!replica || number < (replica.connectionNumber ?? 0)) return;
    const unfinished = new Set(ids);
    const hasStayedHere = replica.hasStayedHere(registered === undefined ? {} : { registered });
    replicas.byInstance.delete(instance);
    this.#endGrace(replica);
    const { connection } = replica;
    replica.connection = undefined;
    connection?.close(CLOSE_CODES.replaced, 'this instance has connected to another node');
    for (const attempt of [...replica.running.values()]) {
      if (unfinished.has(attempt.id) || !hasStayedHere) attempt.settle({ gone: 'moved' });
      else if (attempt.request.payloadJson === null) attempt.settle({ gone: 'lost' });
      else if (attempt.cancelled) settleUnsent(attempt);
      else attempt.settle({ gone: 'unsent' });
    }
    replica.running.clear();
    replicas.pump();
    this.#left(toolkitId);
  }

  close(): void {
    this.#closed = true;
    this.#orphans.close();
    for (const stopGrace of this.#stopGrace.values()) stopGrace();
  }

  /** Takes over the orphaned attempts that the instance lists. Returns the attempts that were sent and never reached the instance. */
  #missing(replica: Replica, unfinished: ReadonlySet<string>, hasStayedHere: boolean): Attempt[] {
    for (const id of unfinished) {
      const orphan = this.#orphans.take(id, replica.toolkitId);
      if (orphan) replica.running.set(id, orphan);
    }
    const missing: Attempt[] = [];
    for (const attempt of [...replica.running.values()]) {
      if (unfinished.has(attempt.id) || attempt.request.payloadJson === null) continue;
      const { actionName, actionVersion } = attempt.request;
      const isChanged = actionVersion !== undefined && !replica.offers(actionName, actionVersion);
      if (hasStayedHere && !attempt.cancelled && !isChanged) {
        missing.push(attempt);
        continue;
      }
      replica.running.delete(attempt.id);
      if (hasStayedHere && !attempt.cancelled) attempt.settle({ gone: 'unsent' });
      else if (hasStayedHere) settleUnsent(attempt);
      // The instance was connected to another node since, which may have the answer.
      else attempt.settle({ gone: 'moved' });
    }
    return missing;
  }

  #left(toolkitId: string): void {
    this.#directory.changed(toolkitId);
    for (const listener of this.#leftListeners) listener(toolkitId);
  }

  #startGrace(replica: Replica, ms: number, onEnd: () => void): void {
    this.#stopGrace.set(replica, startGracePeriod(ms, onEnd));
  }

  #endGrace(replica: Replica): void {
    this.#stopGrace.get(replica)?.();
    this.#stopGrace.delete(replica);
  }

  /** Settles repeatable attempts as lost, so that another replica may run them. All other attempts keep waiting. */
  #loseRepeatable(replica: Replica): void {
    for (const attempt of [...replica.running.values()]) {
      const { toolkitId, actionName } = attempt.request;
      if (!this.#registry.mayRepeat(formatActionId(toolkitId, actionName))) continue;
      replica.running.delete(attempt.id);
      attempt.settle({ gone: 'lost' });
    }
    if (replica.running.size === 0) return this.#lose(replica);
    const { reconnectGraceMs, takeoverGraceMs } = this.#limits;
    this.#startGrace(replica, Math.max(0, takeoverGraceMs - reconnectGraceMs), () => this.#lose(replica));
    this.#directory.of(replica.toolkitId).pump();
  }

  #lose(replica: Replica): void {
    this.#stopGrace.delete(replica);
    const replicas = this.#directory.of(replica.toolkitId);
    replicas.byInstance.delete(replica.instance);
    for (const attempt of replica.running.values()) attempt.settle({ gone: 'lost' });
    replicas.pump();
  }
}

/** Settles an attempt that never reached the instance and whose caller has left: the attempt must not start now. */
function settleUnsent(attempt: Attempt): void {
  const code = attempt.cancelled === 'timeout' ? 'INVOCATION_TIMEOUT' : 'INVOCATION_CANCELLED';
  const details = { invocationId: attempt.id };
  attempt.settle({ error: new SvcError(code, `${attempt.id} did not reach the toolkit before its caller left`, details) });
}

/** How long a call that this node took over waits for the process that ran it. */
export function graceMs(repeatable: boolean, limits: Pick<Limits, 'reconnectGraceMs' | 'takeoverGraceMs'>): number {
  return repeatable ? limits.reconnectGraceMs : limits.takeoverGraceMs;
}
