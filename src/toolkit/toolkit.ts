/**
 * The toolkit developer's door: name the actions, `run()`, and agents can use them. No inbound port: one WebSocket goes out to the service.
 */
import { SvcError } from '../protocol/errors';
import type { ToolkitDetails } from '../protocol/frames';
import {
  type Action,
  type ActionDefinition,
  type ActionHandler,
  type ActionWithHandler,
  defineAction,
  type ObjectDescription,
  type PlainPayloadDescription,
} from './action-definition';
import { quietDeferred } from './deferred';
import { type CheckedOptions, checkOptions, type ToolkitOptions } from './options';
import type { AnyPayload, PayloadOf } from './payload-type';
import type { StopOptions } from './shutdown';
import type { ObjectSchema, SchemaOutput, StandardSchema } from './standard-schema';
import type { Registration } from './status';
import { checkToolkitDetails } from './toolkit-details';
import type { ToolkitSession } from './toolkit-session';

export class Toolkit {
  readonly #options: CheckedOptions;
  readonly #actions = new Map<string, Action>();
  readonly #ready = quietDeferred<Registration>();
  #details: ToolkitDetails = {};
  #session: Promise<ToolkitSession> | undefined;

  /** Opens nothing yet. Throws INVALID_KEY, WRONG_KEY_KIND or INVALID_REQUEST for options that cannot work. */
  constructor(options: ToolkitOptions = {}) {
    this.#options = checkOptions(options);
  }

  /** When the service has accepted the first registration. Rejects like `run()`, and when stopped before that. */
  get ready(): Promise<Registration> {
    return this.#ready.promise;
  }

  /**
   * Sets the display name and the description. Before `run()` they go with the registration; later the promise resolves when the service has
   * taken them, which waits for the connection when there is none.
   */
  async updateToolkit(details: ToolkitDetails): Promise<void> {
    const checked = checkToolkitDetails(details);
    if (this.#session) await (await this.#session).updateToolkit(checked);
    else this.#details = { ...this.#details, ...checked };
  }

  /**
   * Adds an action, before `run()` or while it runs. With a Standard Schema (zod, ArkType, …) as `payloadDescription` the payload is parsed by
   * it on this side as well, and typed. The short form and a JSON Schema that are written in place give its type too; else name the type
   * yourself: `action<{ city: string }>(…)`. Throws INVALID_ACTION.
   */
  action<Schema extends StandardSchema>(
    definition: ActionDefinition<Schema> & { payloadDescription: Schema & ObjectSchema<Schema> },
    handler: ActionHandler<SchemaOutput<Schema>>,
  ): void;
  // The second parameter has no default, so that `action<Call>(…)` means the next one.
  action<const Description extends ObjectDescription, Payload extends PayloadOf<Description>>(
    definition: ActionDefinition<Description> & { payloadDescription: Description },
    handler: ActionHandler<Payload>,
  ): void;
  action<Payload extends object = AnyPayload>(definition: ActionDefinition<PlainPayloadDescription>, handler: ActionHandler<Payload>): void;
  // The type that the schema or the developer promises: the service has checked the payload against it.
  action(definition: ActionDefinition, handler: ActionHandler<never>): void {
    this.#add(defineAction(definition, handler as ActionHandler<unknown>));
    this.#actionsChanged();
  }

  /** Agents cannot call it any more; calls that run go on. False when there is no such action. */
  removeAction(name: string): boolean {
    const removed = this.#actions.delete(name);
    if (removed) this.#actionsChanged();
    return removed;
  }

  /** Replaces all actions at once, for a list that comes from elsewhere. Throws INVALID_ACTION and changes nothing when one of them cannot be. */
  setActions(actions: readonly ActionWithHandler[]): void {
    const former = new Map(this.#actions);
    this.#actions.clear();
    try {
      for (const { handler, ...definition } of actions) this.#add(defineAction(definition, handler));
    } catch (error) {
      this.#actions.clear();
      for (const [name, action] of former) this.#actions.set(name, action);
      throw error;
    }
    this.#actionsChanged();
  }

  #add(action: Action): void {
    const { name } = action;
    if (this.#actions.has(name)) throw new SvcError('INVALID_ACTION', `There is an action "${name}" already; give this one another name`);
    this.#actions.set(name, action);
  }

  #actionsChanged(): void {
    // A session that cannot be loaded is what `run()` rejects with.
    this.#session?.then(
      (session) => session.actionsChanged(),
      () => {},
    );
  }

  /**
   * Connects, registers, and serves until `stop()`; comes back by itself after every loss of the connection, for ever. A Toolkit runs once:
   * later calls give the same outcome.
   *
   * Rejects when the key is refused, and when the first registration is: INVALID_ACTION lists every action that the service
   * rejected, unless `onRejected` is `skip`.
   */
  async run(): Promise<void> {
    this.#session ??= this.#start();
    await (await this.#session).ended;
  }

  /**
   * Takes no new invocations, lets the running ones end, delivers their results, closes the connection. Never rejects; before `run()` it does
   * nothing. Do not await it inside a handler without `timeoutMs`: it waits for that handler.
   */
  async stop(options: StopOptions = {}): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    await session?.stop(options);
  }

  /** The half that only running needs is loaded now, so that a program that only holds a `Tools` never pays for it. */
  async #start(): Promise<ToolkitSession> {
    try {
      const { ToolkitSession } = await import('./toolkit-session');
      const session = new ToolkitSession({ ...this.#options, actions: this.#actions, details: this.#details });
      session.ready.then(this.#ready.resolve, this.#ready.reject);
      void session.start();
      return session;
    } catch (error) {
      this.#ready.reject(error);
      throw error;
    }
  }
}
