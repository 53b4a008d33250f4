/**
 * A client under test, driven as by the agent. All return values and errors are searched for credentials.
 *
 * Errors: an Error with the client's behaviour and the expected one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseClient } from '../../chat/base-client';
import type { MessageContext } from '../../chat/message-context';
import { check, checkJson, isRefusedReply } from './check';
import type { Secrets } from './secrets';
import { ANSWER_MS, inTime, STOP_MS } from './time-limit';

/** The agent calls a client that returned null again after this time. */
export const PAUSE_MS = 50;

export class TestedClient {
  readonly client: BaseClient;
  readonly #secrets: Secrets;
  readonly #isOurs: (ctx: MessageContext) => boolean;

  /** @param isOurs false for messages of other cases, which the platform may still hold */
  constructor(client: BaseClient, secrets: Secrets, isOurs: (ctx: MessageContext) => boolean) {
    this.client = client;
    this.#secrets = secrets;
    this.#isOurs = isOurs;
  }

  /** The cursor as another process would read it. */
  get storedCursor(): unknown {
    return stored(this.client.cursor);
  }

  async start(cursor: unknown = null): Promise<this> {
    this.client.cursor = cursor;
    await this.watched('start()', inTime(this.client.start(), ANSWER_MS, 'start() did not end'));
    return this;
  }

  async stop(): Promise<void> {
    await this.watched('stop()', inTime(this.client.stop(), STOP_MS, 'stop() did not end'));
  }

  /** Runs work that must not fail. */
  async watched<T>(name: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.checkAbsent(`The error of ${name}`, error);
      throw new Error(`${name} failed, and should not: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Returns the error of work that must fail. */
  async errorOf(name: string, work: Promise<unknown>): Promise<Error> {
    const outcome = work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const error = await inTime(outcome, ANSWER_MS, `${name} did not end`);
    check(
      error instanceof Error,
      `${name} has to reject with an Error, and ${error === undefined ? 'resolved' : `threw ${String(error)}`}`,
    );
    this.checkAbsent(`The error of ${name}`, error);
    return error;
  }

  async receive(): Promise<MessageContext> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    for (;;) {
      const pending = inTime(this.client.receiveMessage({ signal }), ANSWER_MS + STOP_MS, 'receiveMessage did not end with its signal');
      const ended = pending.catch((error: unknown) => {
        // A receive may reject when its signal is aborted.
        if (signal.aborted) return null;
        throw error;
      });
      const ctx = await this.watched('receiveMessage', ended);
      this.#checkStored('The cursor', this.client.cursor);
      if (ctx) this.#checkStored('The context', ctx);
      if (ctx && this.#isOurs(ctx)) return ctx;
      check(!signal.aborted, `No message came in ${ANSWER_MS / 1000} s, though a person wrote one: it was lost`);
      if (!ctx) await sleep(PAUSE_MS);
    }
  }

  /** Receives all messages up to the one with this text, so a repeated message must arrive before it. */
  async receiveUntil(text: string): Promise<MessageContext[]> {
    const received: MessageContext[] = [];
    while (received.at(-1)?.message !== text) {
      const before = received.length === 0 ? 'nothing' : received.map(({ message }) => JSON.stringify(message)).join(', ');
      received.push(
        await this.receive().catch((error: Error) => {
          throw new Error(`${error.message}. Waited for "${text}", and before it came ${before}`, { cause: error });
        }),
      );
    }
    return received;
  }

  async receiveTexts(last: string): Promise<string[]> {
    return (await this.receiveUntil(last)).map(({ message }) => message);
  }

  /** Sends a reply as the agent does, with retries after any error except RefusedReply. */
  async reply(ctx: MessageContext, text: string): Promise<void> {
    const giveUpAt = performance.now() + ANSWER_MS;
    for (;;) {
      const error = await this.sendOnce(ctx, text).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined) return;
      this.checkAbsent('The error of sendMessage', error);
      const { message } = error as Error;
      check(!isRefusedReply(error), `sendMessage threw a RefusedReply for a failure that passes: ${message}`);
      check(performance.now() < giveUpAt, `sendMessage did not send in ${ANSWER_MS / 1000} s. The last error: ${message}`);
      await sleep(PAUSE_MS);
    }
  }

  sendOnce(ctx: MessageContext, text: string): Promise<void> {
    const sending = this.client.sendMessage(ctx, [{ role: 'assistant', content: text }]);
    return inTime(sending, ANSWER_MS, 'sendMessage did not end');
  }

  /** @returns the result of `askApproval` or `showPartial`, as another process would read it */
  async shown(name: string, showing: Promise<unknown> = Promise.resolve()): Promise<unknown> {
    const value = (await this.watched(name, inTime(showing, ANSWER_MS, `${name} did not end`))) ?? null;
    this.#checkStored(`The result of ${name}`, value);
    return stored(value);
  }

  checkAbsent(what: string, value: unknown): void {
    this.#secrets.checkAbsent(what, value);
  }

  #checkStored(what: string, value: unknown): void {
    checkJson(what, value);
    this.checkAbsent(what, value);
  }
}

function stored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
