/** Queue of messages and presses from the gateway that `receiveMessage` has not returned yet. */
import type { APIMessage, APIMessageComponentInteraction } from 'discord-api-types/v10';
import type { GatewaySession } from './gateway-session';

export interface Arrival {
  /** The cursor after this arrival. */
  session: GatewaySession;
  message?: APIMessage & { guild_id?: string; member?: { nick?: string | null } };
  press?: APIMessageComponentInteraction;
}

export class Arrivals {
  readonly #waiting: Arrival[] = [];
  #wake: () => void = () => {};
  #session: string | undefined;
  #hasNews = false;
  #refusal: Error | undefined;

  get first(): Arrival | undefined {
    return this.#waiting[0];
  }

  /** Events without a message only advance the cursor, so only the last is kept. The cursor of a new session is stored at once. */
  push(arrival: Arrival): void {
    const isNewSession = arrival.session.session !== this.#session;
    this.#session = arrival.session.session;
    const last = this.#waiting.at(-1);
    if (last && !isForUs(last) && !isForUs(arrival)) this.#waiting.pop();
    this.#waiting.push(arrival);
    if (!isForUs(arrival) && !isNewSession) return;
    this.#hasNews = true;
    this.#wake();
  }

  removeFirst(): void {
    this.#waiting.shift();
    if (this.#waiting.length === 0) this.#hasNews = false;
  }

  /** Ends the wait of the caller. */
  wake(): void {
    this.#wake();
  }

  fail(refusal: Error): void {
    this.#refusal = refusal;
    this.#wake();
  }

  throwIfRefused(): void {
    if (this.#refusal) throw this.#refusal;
  }

  /** Resolves when an arrival or a refusal is available, or after the timeout. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#refusal || this.#hasNews) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      signal.addEventListener('abort', end);
      this.#wake = end;
    });
  }
}

function isForUs({ message, press }: Arrival): boolean {
  return message !== undefined || press !== undefined;
}
