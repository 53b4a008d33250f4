/**
 * Sends the toolkit's name, description and needed connection with every registration, and as `update` requests while the toolkit runs.
 *
 * Errors: an update rejects with the service's own error when it is refused.
 */
import type { SvcError } from '../protocol/errors';
import type { ToolkitDetails } from '../protocol/frames';
import { type Deferred, quietDeferred } from './deferred';
import type { Answer } from './service-connection';

interface Update {
  details: ToolkitDetails;
  done: Deferred<void>;
}

type SendUpdate = (paramsJson: string, settle: (answer: Answer) => void) => void;

export class DetailsUpdates {
  #accepted: ToolkitDetails;
  readonly #pending = new Set<Update>();
  #send: SendUpdate | undefined;

  /** @param details sent with the first registration */
  constructor(details: ToolkitDetails) {
    this.#accepted = details;
  }

  /** The details for a registration, with all pending updates, so that the registration undoes none. Undefined without details. */
  get current(): ToolkitDetails | undefined {
    const current: ToolkitDetails = Object.assign({}, this.#accepted, ...Array.from(this.#pending, ({ details }) => details));
    return Object.keys(current).length > 0 ? current : undefined;
  }

  /** The calls of the toolkit need a connection, after all pending updates too. */
  get asksForConnections(): boolean {
    let { auth } = this.#accepted;
    for (const { details } of this.#pending) if (details.auth !== undefined) auth = details.auth;
    return Boolean(auth);
  }

  /** Resolves when the service has accepted the update, which may be after the next registration. */
  update(details: ToolkitDetails): Promise<void> {
    const update = { details, done: quietDeferred<void>() };
    this.#pending.add(update);
    if (this.#send) this.#request(update, this.#send);
    return update.done.promise;
  }

  /** Sends the pending updates after a registration. */
  resume(send: SendUpdate): void {
    this.#send = send;
    for (const update of this.#pending) this.#request(update, send);
  }

  suspend(): void {
    this.#send = undefined;
  }

  fail(error: SvcError): void {
    for (const { done } of this.#pending) done.reject(error);
    this.#pending.clear();
  }

  #request(update: Update, send: SendUpdate): void {
    send(JSON.stringify(update.details), (answer) => {
      if (answer.kind === 'lost') return;
      this.#pending.delete(update);
      if (answer.kind === 'refused') return update.done.reject(answer.error);
      this.#accepted = { ...this.#accepted, ...update.details };
      update.done.resolve();
    });
  }
}
