/**
 * The toolkit's name and description: sent with every registration, and as `update` requests while it runs.
 *
 * Errors: INVALID_REQUEST for what is no name or description; the service's own error when it refuses an update.
 */
import { SvcError } from '../protocol/errors';
import type { ToolkitDetails } from '../protocol/frames';
import type { Answer } from './connection';
import { type Deferred, quietDeferred } from './deferred';

interface Update {
  details: ToolkitDetails;
  done: Deferred<void>;
}

type SendUpdate = (paramsJson: string, settle: (answer: Answer) => void) => void;

export class DetailsUpdates {
  #accepted: ToolkitDetails = {};
  readonly #pending = new Set<Update>();
  #send: SendUpdate | undefined;

  /** What the service has, or gets with the first registration. Undefined when nothing was ever said. */
  get current(): ToolkitDetails | undefined {
    return Object.keys(this.#accepted).length > 0 ? this.#accepted : undefined;
  }

  /** Before the first registration: goes with it. */
  keep(details: ToolkitDetails): void {
    this.#accepted = { ...this.#accepted, ...details };
  }

  /** Resolves when the service has taken it, which may be after the next registration. */
  update(details: ToolkitDetails): Promise<void> {
    const update = { details, done: quietDeferred<void>() };
    this.#pending.add(update);
    if (this.#send) this.#request(update, this.#send);
    return update.done.promise;
  }

  /** Registered: what waits goes out now. */
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
      this.keep(update.details);
      update.done.resolve();
    });
  }
}

export function checkToolkitDetails({ name, description }: ToolkitDetails): ToolkitDetails {
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) {
    throw new SvcError('INVALID_REQUEST', 'The name of a toolkit is a non-empty text: updateToolkit({ name: "Weather" })');
  }
  if (description !== undefined && typeof description !== 'string') {
    throw new SvcError('INVALID_REQUEST', 'The description of a toolkit is a text');
  }
  return { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
}
