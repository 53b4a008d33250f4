/**
 * Requests to Discord's REST API. `@discordjs/rest` tracks the rate limits. Waits and retries are implemented here, so that `stop()` ends
 * them.
 *
 * Units:  waits in milliseconds. A 429 waits for Discord's `retry_after` and does not count as a try.
 * Errors: DiscordRefusal for a permanent error, DiscordUnavailable after the last try. Error messages never hold a token.
 * Source: https://discord.com/developers/docs/topics/rate-limits
 */

import type { RawFile, REST, RequestMethod } from '@discordjs/rest';
import { pause } from '../../lib/races';
import { retryWaitMs } from '../retry-wait';
import { tokenRefusal } from './refusals';

const SEND_TRIES = 5;
/** The wait after a rate limit without a duration. */
const RATE_LIMIT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 30_000;

type RestModule = typeof import('@discordjs/rest');

export interface DiscordRequest {
  body?: unknown;
  files?: RawFile[];
  signal: AbortSignal;
  /** Default: 5. With 1, a rate limit is an error too. */
  tries?: number;
  /** Replaces the path in errors. Such requests are sent without the bot's token. */
  secretPath?: string;
}

/** Discord refused a request permanently. */
export class DiscordRefusal extends Error {
  override readonly name = 'DiscordRefusal';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export class DiscordUnavailable extends Error {
  override readonly name = 'DiscordUnavailable';
  /** Undefined if Discord sent no duration. */
  readonly waitMs: number | undefined;

  constructor(message: string, waitMs?: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

export class DiscordApi {
  readonly #module: RestModule;
  readonly #rest: REST;
  readonly #botToken: string;
  readonly #clientId: string;

  constructor(module: RestModule, { apiUrl, botToken, clientId }: { apiUrl: string; botToken: string; clientId: string }) {
    this.#module = module;
    this.#botToken = botToken;
    this.#clientId = clientId;
    // Disables the package's waits, which cannot be aborted, and its retries, which do not wait.
    this.#rest = new module.REST({
      api: apiUrl.replace(/\/+$/, ''),
      retries: 0,
      timeout: REQUEST_TIMEOUT_MS,
      rejectOnRateLimit: () => true,
    });
  }

  async send(method: `${RequestMethod}`, path: `/${string}`, request: DiscordRequest): Promise<unknown> {
    const { signal, tries = SEND_TRIES } = request;
    for (let failures = 0; ; ) {
      const outcome = await this.#sendOnce(method, path, request);
      if (!(outcome instanceof DiscordUnavailable)) return outcome;
      if (outcome.waitMs === undefined) failures += 1;
      if (tries === 1 || failures >= tries) throw outcome;
      await pause(outcome.waitMs ?? retryWaitMs(failures), signal);
    }
  }

  /** Stops the package's timers. */
  close(): void {
    this.#rest.clearHashSweeper();
    this.#rest.clearHandlerSweeper();
  }

  async #sendOnce(method: `${RequestMethod}`, path: `/${string}`, request: DiscordRequest): Promise<unknown> {
    const { body, files, signal, secretPath } = request;
    signal.throwIfAborted();
    try {
      // The package drops the token after a 401.
      return await this.#rest.setToken(this.#botToken).request({
        method: method as RequestMethod,
        fullRoute: path,
        versioned: false,
        auth: secretPath === undefined,
        signal,
        ...(body !== undefined && { body }),
        ...(files && { files }),
      });
    } catch (error) {
      signal.throwIfAborted();
      return this.#read(error, `${method} ${secretPath ?? path}`);
    }
  }

  /** The package's errors hold the request's body and URL, so they are not passed on. */
  #read(error: unknown, request: string): DiscordUnavailable {
    const { RateLimitError, DiscordAPIError, HTTPError } = this.#module;
    if (error instanceof RateLimitError) {
      return new DiscordUnavailable(`Discord limits the rate of ${request}`, error.retryAfter || RATE_LIMIT_MS);
    }
    if (error instanceof HTTPError) return new DiscordUnavailable(`Discord answers ${request} with ${error.status}`);
    if (!(error instanceof DiscordAPIError)) return new DiscordUnavailable(`Discord does not answer ${request}: ${reasonOf(error)}`);
    if (error.status === 401) throw tokenRefusal(this.#clientId);
    if (error.status === 408) return new DiscordUnavailable(`Discord answers ${request} with 408`);
    throw new DiscordRefusal(`Discord refuses ${request}: ${error.status} ${error.message} (${error.code})`, error.status);
  }
}

function reasonOf(error: unknown): string {
  const { name, code } = error as Error & { code?: string };
  return name === 'AbortError' ? `no answer in ${REQUEST_TIMEOUT_MS / 1000} s` : (code ?? 'the connection was cut');
}
