/** Sends `register`: once on every connection, and again when the list of actions has changed. One request at a time. */
import { METHODS, type ToolkitDetails } from '../protocol/frames';
import type { Action } from './action-definition';
import { ActionList } from './action-list';
import { ListRegistration, type NamedActions } from './list-registration';
import { registerParamsJson } from './registration';
import type { Answer, ServiceConnection } from './service-connection';

export interface RegistrarDeps {
  /** Live: what it holds at the time is registered. */
  actions: ReadonlyMap<string, Action>;
  concurrency: number;
  details: { readonly current: ToolkitDetails | undefined };
  invocations: { unfinished(): string[] };
}

export class Registrar {
  readonly #deps: RegistrarDeps;
  readonly #instance = crypto.randomUUID();
  #connections = 0;
  #registeredOn = 0;
  #registeredBefore = 0;
  #listVersion = 0;
  #sentVersion = 0;
  #underWay = false;
  /** The list of the last accepted registration. */
  #accepted: ActionList | undefined;

  constructor(deps: RegistrarDeps) {
    this.#deps = deps;
  }

  /** A `register` request is unanswered. */
  get underWay(): boolean {
    return this.#underWay;
  }

  /** The list has changed since the last `register` request. */
  get isOutdated(): boolean {
    return this.#sentVersion !== this.#listVersion;
  }

  listChanged(): void {
    this.#listVersion++;
  }

  /** Call this for each new connection, before `register`. */
  opened(): void {
    this.#connections++;
    this.#registeredBefore = this.#registeredOn;
  }

  /** The first registration on a connection was accepted. */
  registered(): void {
    this.#registeredOn++;
  }

  register(connection: ServiceConnection | undefined, onAnswer: (answer: Answer) => void): void {
    const list = new ActionList(this.#deps.actions.values());
    this.#sentVersion = this.#listVersion;
    this.#underWay = true;
    const details = this.#detailsJson();
    const answered = (answer: Answer) => {
      this.#underWay = false;
      // An update was refused in the meantime, which may be why the service refused the list too.
      if (answer.kind === 'refused' && details !== this.#detailsJson()) this.listChanged();
      if (answer.kind === 'result') this.#accepted = list;
      onAnswer(answer);
    };
    if (!connection) return;
    if (list.isShort) connection.request(METHODS.register, this.#paramsJson({ actionsJson: list.json }), answered);
    else {
      const paramsJson = (named: NamedActions) => this.#paramsJson(named);
      new ListRegistration(list, { connection, paramsJson, onAnswer: answered }).start(this.#accepted);
    }
  }

  #detailsJson(): string | undefined {
    return JSON.stringify(this.#deps.details.current);
  }

  #paramsJson(named: NamedActions): string {
    const { concurrency, details, invocations } = this.#deps;
    const parts = {
      instance: this.#instance,
      ...(details.current && { toolkit: details.current }),
      ...('list' in named && { list: named.list }),
      concurrency,
      unfinished: invocations.unfinished(),
      connection: this.#connections,
      registered: this.#registeredBefore,
    };
    return registerParamsJson(parts, 'actionsJson' in named ? named.actionsJson : undefined);
  }
}
