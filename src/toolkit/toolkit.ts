/**
 * The entry point of a toolkit developer: define actions, call `run()`, and agents can use them. The toolkit connects to the service over
 * one outgoing WebSocket and needs no open port.
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
import { checkToolkitDetails, hasProfile, type ToolkitUpdate } from './toolkit-details';
import type { ToolkitSession } from './toolkit-session';

export class Toolkit {
  readonly #options: CheckedOptions;
  readonly #actions = new Map<string, Action>();
  readonly #ready = quietDeferred<Registration>();
  /** Updates before `run()`, in their order. */
  readonly #updates: (ToolkitDetails | Promise<ToolkitDetails>)[] = [];
  #session: Promise<ToolkitSession> | undefined;

  /** Does not connect. Throws INVALID_KEY, WRONG_KEY_KIND or INVALID_REQUEST for invalid options. */
  constructor(options: ToolkitOptions = {}) {
    this.#options = checkOptions(options);
  }

  /** Resolves when the service has accepted the first registration. Rejects like `run()`, and when stopped earlier. */
  get ready(): Promise<Registration> {
    return this.#ready.promise;
  }

  /**
   * Sets the display name, the description, and `auth`: the connection that the calls need, null for none. `readme`, `icon`, `homepage`,
   * `category` and `version` are the toolkit's page for people; null removes one. Before `run()`, they are stored for the registration. Later
   * the promise resolves when the service has accepted them, after a reconnect if necessary. Rejects with INVALID_REQUEST, and changes nothing.
   */
  async updateToolkit(update: ToolkitUpdate): Promise<void> {
    const checked = checkToolkitDetails(update);
    const details = hasProfile(update) ? import('./profile-details').then(({ withProfile }) => withProfile(checked, update)) : checked;
    if (this.#session) await (await this.#session).updateToolkit(await details);
    else {
      this.#updates.push(details);
      await details;
    }
  }

  /**
   * Adds an action, before `run()` or while it runs. A Standard Schema (zod, ArkType, …) as `payloadDescription` also parses and types the
   * payload in this process. A short form or JSON Schema literal types the payload too; otherwise name the type: `action<{ city: string
   * }>(…)`. Throws INVALID_ACTION.
   */
  action<Schema extends StandardSchema, Result>(
    definition: ActionDefinition<Schema, Result> & { payloadDescription: Schema & ObjectSchema<Schema> },
    handler: ActionHandler<SchemaOutput<Schema>, Result>,
  ): void;
  // The second type parameter has no default, so that `action<Call>(…)` selects the last overload.
  action<const Description extends ObjectDescription, Payload extends PayloadOf<Description>, Result>(
    definition: ActionDefinition<Description, Result> & { payloadDescription: Description },
    handler: ActionHandler<Payload, Result>,
  ): void;
  action<Payload extends object = AnyPayload, Result = unknown>(
    definition: ActionDefinition<PlainPayloadDescription, Result>,
    handler: ActionHandler<Payload, Result>,
  ): void;
  // The schema or the developer decides the type of the payload. The service has checked the payload.
  action(definition: ActionDefinition, handler: ActionHandler<never>): void {
    this.#add(defineAction(definition, handler as ActionHandler<unknown>));
    this.#actionsChanged();
  }

  /** Removes an action. Running calls continue. Returns false for an unknown name. */
  removeAction(name: string): boolean {
    const removed = this.#actions.delete(name);
    if (removed) this.#actionsChanged();
    return removed;
  }

  /**
   * Replaces all actions at once, such as for a list from another system. Throws INVALID_ACTION for an invalid action and then changes
   * nothing.
   */
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
    // `run()` rejects when the session cannot be loaded.
    this.#session?.then(
      (session) => session.actionsChanged(),
      () => {},
    );
  }

  /**
   * Connects, registers, and serves until `stop()`. Reconnects after every loss of the connection. A Toolkit runs once: later calls have
   * the same outcome.
   *
   * Rejects when the key or the first registration is refused. INVALID_ACTION lists every action that the service rejected, unless
   * `onRejected` is `skip`.
   */
  async run(): Promise<void> {
    this.#session ??= this.#start();
    await (await this.#session).ended;
  }

  /**
   * Refuses new invocations, waits for running ones, delivers their results, and closes the connection. Never rejects; does nothing before
   * `run()`. A handler that awaits `stop` must set `timeoutMs`: `stop` waits for all handlers.
   */
  async stop(options: StopOptions = {}): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    await session?.stop(options);
  }

  /** Imports the session on `run()`, so that a program that only uses `Tools` does not load it. */
  async #start(): Promise<ToolkitSession> {
    try {
      const { ToolkitSession } = await import('./toolkit-session');
      const updates = await Promise.allSettled(this.#updates);
      const details: ToolkitDetails = Object.assign({}, ...updates.map((update) => update.status === 'fulfilled' && update.value));
      const session = new ToolkitSession({ ...this.#options, actions: this.#actions, details });
      session.ready.then(this.#ready.resolve, this.#ready.reject);
      void session.start();
      return session;
    } catch (error) {
      this.#ready.reject(error);
      throw error;
    }
  }
}
