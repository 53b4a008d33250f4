/**
 * The methods `register` and `update` of a toolkit's connection. docs/protocol.md section 6.
 *
 * Errors: INVALID_REQUEST for a registration that the service does not understand, CONNECTION_CLOSED when the socket closes meanwhile.
 */
import type * as z from 'zod';
import { SvcError } from '../../protocol/errors';
import { PROTOCOL_VERSION, type RegisterResult, type RejectedAction } from '../../protocol/frames';
import { RESERVED_TOOLKIT_ID } from '../../protocol/ids';
import type { Limits } from '../../protocol/limits';
import type { LintFinding } from '../../protocol/lint';
import { registerParams, updateParams } from '../../protocol/schemas';
import { reportedFindings } from '../catalog/lint';
import { EventLoopBudget } from '../lib/event-loop-budget';
import { parseOrThrow } from '../lib/parse';
import type { ToolkitRecord } from '../store/store';
import type { InstanceLifecycle } from './instance-lifecycle';
import type { OtherNodes } from './other-nodes';
import type { ReplicaDirectory } from './replica-directory';
import type { Answered, ToolkitConnection } from './toolkit-connection';
import type { ToolkitSockets } from './toolkit-sockets';

/** The part of the catalogue that a registration needs. */
export interface Registry {
  /** Stores the toolkit's details and actions. `offeredElsewhere` decides which other actions of the toolkit stay. */
  register(
    toolkitId: string,
    registration: { toolkit?: { name?: string; description?: string }; actions: unknown[] },
    offeredElsewhere: (actionName: string) => boolean,
  ): Promise<{ toolkit: ToolkitRecord; accepted: string[]; rejected: RejectedAction[]; findings: LintFinding[] }>;
  updateToolkit(toolkitId: string, details: { name?: string; description?: string }): Promise<ToolkitRecord>;
  /** Whether the action's toolkit declares that a second run changes nothing more. */
  mayRepeat(actionId: string): boolean;
}

/** The outcome of a toolkit's registration. */
export interface ToolkitRegistration {
  toolkit: { id: string; name: string; description: string };
  /** Action ids. */
  accepted: string[];
  rejected: RejectedAction[];
  /** Findings about all its actions, including those that only other replicas serve. */
  findings: LintFinding[];
}

export type RegistrationListener = (registration: ToolkitRegistration) => void;

type Registration = z.output<typeof registerParams>;

export interface RegistrationsDeps {
  registry: Registry;
  directory: ReplicaDirectory;
  sockets: ToolkitSockets;
  instances: InstanceLifecycle;
  otherNodes: Pick<OtherNodes, 'offers'>;
  limits: Pick<Limits, 'heartbeatMs'>;
}

export class Registrations {
  readonly #deps: RegistrationsDeps;
  readonly #budget = new EventLoopBudget();
  readonly #listeners: RegistrationListener[] = [];

  constructor(deps: RegistrationsDeps) {
    this.#deps = deps;
  }

  onRegistration(listener: RegistrationListener): void {
    this.#listeners.push(listener);
  }

  /** Registrations of one toolkit run one after the other: which actions leave the catalogue depends on the other replicas. */
  register(connection: ToolkitConnection, params: unknown): Promise<Answered> {
    return this.#deps.directory.of(connection.toolkitId).registrations.run(async () => {
      await this.#budget.enter();
      return this.#register(connection, this.#check(connection, params));
    });
  }

  async update({ toolkitId }: ToolkitConnection, params: unknown): Promise<Answered> {
    const toolkit = await this.#deps.registry.updateToolkit(toolkitId, parseOrThrow(updateParams, params, 'update'));
    return { result: { toolkit: detailsOf(toolkit) } };
  }

  #check(connection: ToolkitConnection, params: unknown): Registration {
    const registration = parseOrThrow(registerParams, params, 'register');
    const { protocol, instance } = registration;
    if (protocol !== PROTOCOL_VERSION)
      throw invalid(`This service speaks protocol ${PROTOCOL_VERSION}, not ${protocol}; use a matching SDK`);
    if (connection.toolkitId === RESERVED_TOOLKIT_ID)
      throw invalid(`The service keeps the toolkit id "${RESERVED_TOOLKIT_ID}" for itself: make a key for a toolkit with another id`);
    const former = this.#deps.sockets.replicaOf(connection)?.instance ?? instance;
    if (former !== instance) throw invalid(`This connection is instance "${former}"; open another one for "${instance}"`);
    return registration;
  }

  async #register(connection: ToolkitConnection, registration: Registration): Promise<Answered> {
    const { registry, directory, sockets, instances } = this.#deps;
    const { toolkitId } = connection;
    const { toolkit, accepted, rejected, findings } = await registry.register(toolkitId, registration, (actionName) =>
      this.#isOfferedElsewhere(toolkitId, registration.instance, actionName),
    );
    const returned = await instances.returned(toolkitId, registration);
    if (!sockets.has(connection)) throw new SvcError('CONNECTION_CLOSED', 'The socket closed while it registered');
    const actions = new Set(accepted.map((id) => id.slice(toolkitId.length + 2)));
    const { replica, missing } = instances.attach(connection, registration, { actions, returned });
    sockets.registered(connection, replica);
    connection.registered();
    directory.changed(toolkitId);
    for (const listener of this.#listeners) listener({ toolkit: detailsOf(toolkit), accepted, rejected, findings });
    const result: RegisterResult = {
      protocol: PROTOCOL_VERSION,
      toolkit: detailsOf(toolkit),
      accepted,
      rejected,
      ...reportedFindings(findings),
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
