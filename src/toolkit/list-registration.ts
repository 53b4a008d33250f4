/**
 * Registers a long list by its name, then sends the parts that the service lacks.
 *
 * Shape:  `register` with the list's name; after LIST_NOT_FOUND the whole list in `actions` requests, then `register` again. If the service
 *         has an earlier list, its changes are sent first, as `actions` requests. A service that does not support lists answers
 *         INVALID_REQUEST and receives the actions inside `register`.
 * Source: docs/protocol.md section 6, "Long lists".
 */
import type { SvcError } from '../protocol/errors';
import { type ActionListName, METHODS } from '../protocol/frames';
import type { ActionList } from './action-list';
import type { Answer, ServiceConnection } from './service-connection';

/** All actions, or the name of their list. */
export type NamedActions = { actionsJson: string } | { list: ActionListName };

export interface ListRegistrationDeps {
  connection: Pick<ServiceConnection, 'request'>;
  /** The text of the params of `register`. */
  paramsJson(named: NamedActions): string;
  onAnswer(answer: Answer): void;
}

export class ListRegistration {
  readonly #list: ActionList;
  readonly #deps: ListRegistrationDeps;
  /** Why the service refused a part of the list. */
  #refusedPart: SvcError | undefined;

  constructor(list: ActionList, deps: ListRegistrationDeps) {
    this.#list = list;
    this.#deps = deps;
  }

  /** @param base the last list that the service accepted from this instance */
  start(base: ActionList | undefined): void {
    if (base && base.id !== this.#list.id) {
      this.#sendParts(this.#list.partsSince(base));
      this.#register({ ...this.#name(), base: base.id, remove: this.#list.removedSince(base) }, (answer) => this.#onFirstAnswer(answer));
    } else {
      this.#register(this.#name(), (answer) => this.#onFirstAnswer(answer));
    }
  }

  #onFirstAnswer(answer: Answer): void {
    const { connection, paramsJson, onAnswer } = this.#deps;
    const code = answer.kind === 'refused' && !this.#refusedPart ? answer.error.code : undefined;
    if (code === 'LIST_NOT_FOUND') {
      this.#sendParts(this.#list.partsSince());
      this.#register(this.#name(), onAnswer);
    } else if (code === 'INVALID_REQUEST') {
      connection.request(METHODS.register, paramsJson({ actionsJson: this.#list.json }), onAnswer);
    } else {
      onAnswer(answer);
    }
  }

  #name(): ActionListName {
    return { id: this.#list.id, size: this.#list.size };
  }

  #sendParts(parts: readonly string[]): void {
    for (const part of parts) {
      this.#deps.connection.request(METHODS.actions, `{"actions":${part}}`, (answer) => {
        if (answer.kind === 'refused') this.#refusedPart ??= answer.error;
      });
    }
  }

  /** Reports a refused part instead of the incomplete list that it caused. */
  #register(list: ActionListName, onAnswer: (answer: Answer) => void): void {
    const { connection, paramsJson } = this.#deps;
    connection.request(METHODS.register, paramsJson({ list }), (answer) => {
      onAnswer(answer.kind === 'refused' && this.#refusedPart ? { kind: 'refused', error: this.#refusedPart } : answer);
    });
  }
}
