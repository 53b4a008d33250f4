/**
 * Reports of tokens that wait for the next request of their session, which carries them.
 *
 * Units:  sent alone after 2 s without a request.
 * Errors: INVALID_REQUEST for an invalid report. A report whose request fails is kept: the service counts its id once.
 */
import { SvcError } from '../protocol/errors';
import { HEADERS, PATHS } from '../protocol/http';
import { MAX_MODEL_CHARS, MAX_USAGE_CHARS, MAX_USAGE_REPORTS, MAX_USAGE_TOKENS, writeReport } from '../protocol/usage';
import { isNothing } from './answers';
import type { DefaultedRequest, OptionalHeaders } from './http-client';

export interface ReportedUsage {
  /** The model's name, as you want to see it in the records. */
  model: string;
  /** All tokens of the input, those of the cache too. */
  inputTokens: number;
  outputTokens: number;
  /** The part of the input that the provider read from its cache. */
  cachedTokens?: number | undefined;
}

type Send = <T>(request: DefaultedRequest<T>) => Promise<T>;

const SEND_ALONE_MS = 2_000;
/** The oldest above this number are dropped: the service has been out of reach for long. */
const MAX_KEPT = 100;

export class PendingUsage {
  readonly #headers: OptionalHeaders;
  readonly #send: Send;
  /** Reports as items of the header. */
  #items: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param headers of the session */
  constructor(headers: OptionalHeaders, send: Send) {
    this.#headers = headers;
    this.#send = send;
  }

  add({ model, inputTokens, outputTokens, cachedTokens }: ReportedUsage): void {
    // Null in some answers of models.
    const cached = cachedTokens ?? undefined;
    if (typeof model !== 'string' || model === '') throw invalid('model is the name of the model');
    for (const [name, tokens] of Object.entries({ inputTokens, outputTokens, cachedTokens: cached ?? 0 }))
      if (!Number.isInteger(tokens) || tokens < 0 || tokens > MAX_USAGE_TOKENS)
        throw invalid(`${name} is a whole number from 0 to ${MAX_USAGE_TOKENS}, not ${String(tokens)}`);
    if (cached !== undefined && cached > inputTokens) throw invalid('cachedTokens is a part of inputTokens, so it cannot be more');
    const name = model.replace(/[^\x20-\x7e]/gu, '?').slice(0, MAX_MODEL_CHARS);
    this.#keep([
      ...this.#items,
      writeReport({
        model: name,
        id: crypto.randomUUID(),
        inputTokens,
        outputTokens,
        ...(cached !== undefined && { cachedTokens: cached }),
      }),
    ]);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush().catch(() => {});
    }, SEND_ALONE_MS);
  }

  /** Sends a request of the session with as many reports as fit. */
  async sendWith<T>(request: DefaultedRequest<T>): Promise<T> {
    const items = this.#take();
    if (items.length === 0) return this.#send(request);
    try {
      return await this.#send({ ...request, callerHeaders: { ...request.callerHeaders, [HEADERS.usage]: items.join(', ') } });
    } catch (error) {
      this.#keep([...items, ...this.#items]);
      throw error;
    }
  }

  /** Sends all reports now. */
  async flush(): Promise<void> {
    const alone = { method: 'POST', path: PATHS.usage, isAnswer: isNothing, callerHeaders: this.#headers } as const;
    while (this.#items.length > 0) await this.sendWith(alone);
  }

  #keep(items: string[]): void {
    this.#items = items.slice(-MAX_KEPT);
  }

  #take(): string[] {
    let chars = 0;
    const fitting = this.#items.findIndex((item, index) => {
      chars += item.length + 2;
      return index === MAX_USAGE_REPORTS || chars > MAX_USAGE_CHARS;
    });
    const taken = this.#items.splice(0, fitting === -1 ? this.#items.length : fitting);
    if (this.#items.length === 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    return taken;
  }
}

function invalid(problem: string): SvcError {
  return new SvcError('INVALID_REQUEST', `reportUsage: ${problem}`);
}
