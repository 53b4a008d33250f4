/**
 * Handles the methods `register`, `actions` and `update` of a toolkit's connection. docs/protocol.md section 6.
 *
 * Errors: INVALID_REQUEST for an invalid registration, LIST_NOT_FOUND for an unknown list, RATE_LIMITED when a key changes the catalogue
 *         too often, CONNECTION_CLOSED when the socket closes meanwhile.
 */
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type * as z from 'zod';
import { SvcError } from '#sdk/protocol/errors';
import { PROTOCOL_VERSION, type RegisterResult, type RejectedAction, type ToolkitDetails } from '#sdk/protocol/frames';
import { formatActionId, RESERVED_TOOLKIT_ID } from '#sdk/protocol/ids';
import type { Limits } from '#sdk/protocol/limits';
import type { LintFinding } from '#sdk/protocol/lint';
import { actionsParams, registerParams, updateParams } from '#sdk/protocol/schemas';
import { versionOf } from '../catalog/action-version';
import { droppedResults, reportedFindings } from '../catalog/lint';
import type { ReadActions } from '../catalog/read-actions';
import { consumeRateLimit } from '../lib/consume-rate-limit';
import type { EventLoopBudget } from '../lib/event-loop-budget';
import { parseOrThrow } from '../lib/parse';
import type { ActionRecord, ToolkitRecord } from '../store/store';
import { ActionLists } from './action-lists';
import type { InstanceLifecycle } from './instance-lifecycle';
import type { OtherNodes } from './other-nodes';
import type { ReplicaDirectory } from './replica-directory';
import type { Answered, ToolkitConnection } from './toolkit-connection';
import type { ToolkitSockets } from './toolkit-sockets';

/** The part of the catalogue that a registration needs. */
export interface Registry {
  /** The event-loop budget of all registrations together. */
  readonly budget: EventLoopBudget;
  /** Checks actions. `before` holds the actions of the earlier parts of the list. */
  readActions(toolkitId: string, registrations: readonly unknown[], before?: ReadActions): Promise<ReadActions>;
  /**
   * Stores the toolkit's details and actions. Other actions of the toolkit stay if `offeredElsewhere` returns true. `beforeChange` runs
   * before a change of the catalogue; its rejection prevents the change.
   */
  register(
    toolkitId: string,
    registration: { toolkit?: ToolkitDetails; actions: ReadActions['actions'] },
    offeredElsewhere: (actionName: string) => boolean,
    beforeChange: () => Promise<void>,
    keyId: string,
  ): Promise<{ toolkit: ToolkitRecord; accepted: string[]; findings: LintFinding[]; held: string[] }>;
  updateToolkit(toolkitId: string, details: ToolkitDetails, beforeChange: () => Promise<void>, keyId: string): Promise<ToolkitRecord>;
  action(actionId: string): ActionRecord | undefined;
  /** Whether the action's toolkit declares that a second run changes nothing more. */
  mayRepeat(actionId: string): boolean;
}

/** The outcome of a toolkit's registration. */
export interface ToolkitRegistration {
  toolkit: { id: string; name: string; description: string };
  /** Action ids. */
  accepted: string[];
  rejected: RejectedAction[];
  /** Findings about all actions of the toolkit, including actions that only other replicas serve. */
  findings: LintFinding[];
  /** Ids of accepted actions that wait for an owner's approval. */
  held: string[];
}

export type RegistrationListener = (registration: ToolkitRegistration) => void;

type Registration = z.output<typeof registerParams>;

export interface RegistrationsDeps {
  registry: Registry;
  directory: ReplicaDirectory;
  sockets: ToolkitSockets;
  instances: InstanceLifecycle;
  otherNodes: Pick<OtherNodes, 'offers'>;
  /** Counts changes of the catalogue by toolkit key. */
  changes: RateLimiterAbstract;
  limits: Pick<Limits, 'heartbeatMs' | 'changedRegistrationsPerMinute'>;
}

export class Registrations {
  readonly #deps: RegistrationsDeps;
  readonly #listeners: RegistrationListener[] = [];
  readonly #lists = new ActionLists();

  constructor(deps: RegistrationsDeps) {
    this.#deps = deps;
  }

  onRegistration(listener: RegistrationListener): void {
    this.#listeners.push(listener);
  }

  /** Serialised by toolkit: the other replicas decide which actions are removed from the catalogue. */
  register(connection: ToolkitConnection, params: unknown): Promise<Answered> {
    return this.#deps.directory.of(connection.toolkitId).registrations.run(async () => {
      await this.#deps.registry.budget.enter();
      return this.#register(connection, this.#check(connection, params));
    });
  }

  /**
   * Replaces action versions that no process offers any more, such as after a process left, by the version of a connected process.
   * Otherwise every call that names a version would fail.
   */
  restore(toolkitId: string): Promise<void> {
    const { registry, directory } = this.#deps;
    const replicas = directory.of(toolkitId);
    return replicas.registrations.run(async () => {
      for (const { actions, connection, instance } of replicas.byInstance.values()) {
        if (!connection?.isOpen) continue;
        const isStale = (name: string) => this.#isStale(toolkitId, name);
        if (![...actions.keys()].some(isStale)) continue;
        const restored = new Map(
          [...actions].map(([name, own]) => [name, isStale(name) ? own : (registry.action(formatActionId(toolkitId, name)) ?? own)]),
        );
        const offeredElsewhere = (name: string) => this.#isOfferedElsewhere(toolkitId, instance, name);
        await registry.register(toolkitId, { actions: restored }, offeredElsewhere, async () => {}, connection.keyId);
      }
    });
  }

  #isStale(toolkitId: string, name: string): boolean {
    const { registry, directory, otherNodes } = this.#deps;
    const shown = registry.action(formatActionId(toolkitId, name));
    if (!shown || otherNodes.offers(toolkitId, name)) return false;
    return !directory.of(toolkitId).offers(name, versionOf(shown));
  }

  /** Serialised by toolkit, so that the parts of a list keep their order. */
  addActions(connection: ToolkitConnection, params: unknown): Promise<Answered> {
    const { registry, directory } = this.#deps;
    return directory.of(connection.toolkitId).registrations.run(async () => {
      await registry.budget.enter();
      const { actions } = parseOrThrow(actionsParams, params, 'actions');
      const parts = await registry.readActions(connection.toolkitId, actions, this.#lists.partsOf(connection));
      this.#lists.setParts(connection, parts);
      return { result: {} };
    });
  }

  /** Serialised with registrations of the toolkit, so that changes keep their order. */
  update(connection: ToolkitConnection, params: unknown): Promise<Answered> {
    const { toolkitId, keyId } = connection;
    return this.#deps.directory.of(toolkitId).registrations.run(async () => {
      const details = parseOrThrow(updateParams, params, 'update');
      const toolkit = await this.#deps.registry.updateToolkit(toolkitId, details, () => this.#countChange(connection), keyId);
      return { result: { toolkit: detailsOf(toolkit) } };
    });
  }

  /** Throws CONNECTION_CLOSED for a socket that closed meanwhile, which then changes nothing. */
  async #countChange(connection: ToolkitConnection): Promise<void> {
    await connection.caughtUp();
    this.#requireOpen(connection);
    const { changes, limits } = this.#deps;
    const tooMany = `Key ${connection.keyId} may change its toolkit ${limits.changedRegistrationsPerMinute} times a minute (changedRegistrationsPerMinute)`;
    await consumeRateLimit(changes, `change ${connection.keyId}`, tooMany);
  }

  #requireOpen(connection: ToolkitConnection): void {
    if (!connection.isOpen) throw new SvcError('CONNECTION_CLOSED', 'The socket closed while it registered');
  }

  #check(connection: ToolkitConnection, params: unknown): Registration {
    const registration = parseOrThrow(registerParams, params, 'register');
    const { protocol, instance } = registration;
    if (protocol !== PROTOCOL_VERSION)
      throw invalid(`This service has protocol version ${PROTOCOL_VERSION}, not ${protocol}; use a matching SDK`);
    if (connection.toolkitId === RESERVED_TOOLKIT_ID)
      throw invalid(`The toolkit id "${RESERVED_TOOLKIT_ID}" is reserved for the service: make a key for a toolkit with another id`);
    if ((registration.actions === undefined) === (registration.list === undefined))
      throw invalid('A registration has either "actions" or "list"');
    const former = this.#deps.sockets.replicaOf(connection)?.instance ?? instance;
    if (former !== instance) throw invalid(`This connection is instance "${former}"; open another connection for "${instance}"`);
    return registration;
  }

  async #register(connection: ToolkitConnection, registration: Registration): Promise<Answered> {
    const { registry, directory, sockets, instances } = this.#deps;
    const { toolkitId, keyId } = connection;
    const { list } = registration;
    const read = list ? this.#lists.take(connection, list) : await registry.readActions(toolkitId, registration.actions ?? []);
    const { actions: offered, rejected } = read;
    const {
      toolkit,
      accepted,
      findings: linted,
      held,
    } = await registry.register(
      toolkitId,
      // A process that asks for no connection gets none, whatever an earlier version of it asked for.
      { toolkit: { auth: null, ...registration.toolkit }, actions: offered },
      (actionName) => this.#isOfferedElsewhere(toolkitId, registration.instance, actionName),
      () => this.#countChange(connection),
      keyId,
    );
    if (list) this.#lists.keep(toolkitId, list.id, read);
    const findings = [...droppedResults(toolkitId, read.dropped), ...linted];
    const returned = await instances.returned(toolkitId, registration);
    if (!connection.isOpen) instances.keep(returned);
    this.#requireOpen(connection);
    const { replica, missing } = instances.attach(connection, registration, { actions: offered, returned });
    sockets.registered(connection, replica);
    connection.registered();
    directory.changed(toolkitId);
    for (const listener of this.#listeners) listener({ toolkit: detailsOf(toolkit), accepted, rejected: [...rejected], findings, held });
    const result: RegisterResult = {
      protocol: PROTOCOL_VERSION,
      toolkit: detailsOf(toolkit),
      accepted,
      rejected: [...rejected],
      ...reportedFindings(findings),
      ...(held.length > 0 && { held }),
      awaiting: registration.unfinished.filter((id) => replica.running.has(id)),
      heartbeatMs: this.#deps.limits.heartbeatMs,
    };
    return { result, afterwards: () => instances.resume(replica, connection, missing) };
  }

  #isOfferedElsewhere(toolkitId: string, instance: string, actionName: string): boolean {
    const { directory, otherNodes } = this.#deps;
    for (const other of directory.of(toolkitId).byInstance.values()) {
      if (other.instance !== instance && other.actions.has(actionName)) return true;
    }
    return otherNodes.offers(toolkitId, actionName);
  }
}

function detailsOf({ id, name, description }: ToolkitRecord): ToolkitRegistration['toolkit'] {
  return { id, name, description };
}

function invalid(message: string): SvcError {
  return new SvcError('INVALID_REQUEST', message);
}
