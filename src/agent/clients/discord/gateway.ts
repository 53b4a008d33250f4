/**
 * A gateway session that outlives its connections. Lost connections are replaced, and Discord sends the missed events.
 *
 * `@discordjs/ws` is not used: it drops the session when a connection cannot be opened, reconnects after a stop, and throws an uncatchable
 * error when stopped while connecting (docs/agent/discord.md).
 *
 * Units:  milliseconds; waits with full jitter.
 * Errors: `start` rejects, or `onRefused` is called later, when Discord refuses the bot.
 */

import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import type { WebSocket } from 'ws';
import { pause } from '../../lib/races';
import { retryWaitMs } from '../retry-wait';
import { type DiscordApi, DiscordUnavailable } from './api';
import { GatewayConnection } from './gateway-connection';
import type { GatewaySession } from './gateway-session';
import { refusalOf } from './refusals';

/** Invalid sequence, and a session that timed out. */
const SESSION_ENDED_CODES = [4007, 4009];
/** After so many tries the session's resume URL may be dead; Discord's general URL can resume the session too. */
const MAX_TRIES_OF_RESUME_URL = 3;

interface GatewayOptions {
  api: DiscordApi;
  WebSocket: typeof WebSocket;
  clientId: string;
  botToken: string;
  /** An earlier session to resume. */
  session: GatewaySession | undefined;
  onEvent(event: GatewayDispatchPayload, session: GatewaySession): void;
  onRefused(error: Error): void;
}

interface GatewayBot {
  url: string;
  session_start_limit: { remaining: number; reset_after: number };
}

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #stopping = new AbortController();
  readonly #firstTry = Promise.withResolvers<void>();
  #session: GatewaySession | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#session = options.session;
  }

  /** Resolves with an open session, or after a first try without an answer; further tries continue in the background. */
  async start(): Promise<void> {
    this.#running = this.#run();
    await this.#firstTry.promise;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      while (!signal.aborted) {
        const waitMs = await this.#connect();
        this.#firstTry.resolve();
        this.#failures += 1;
        await pause(waitMs ?? retryWaitMs(this.#failures), signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#firstTry.reject(error);
      this.#options.onRefused(error as Error);
    } finally {
      this.#firstTry.resolve();
    }
  }

  /** Opens a connection and resolves at its end. Returns the wait that Discord requires. */
  async #connect(): Promise<number | undefined> {
    const { WebSocket, botToken, clientId } = this.#options;
    const { signal } = this.#stopping;
    const found = await this.#findUrl();
    if (found.url === undefined) return found.waitMs;
    const connection = new GatewayConnection({
      WebSocket,
      url: found.url,
      botToken,
      session: this.#session,
      onEvent: (event, session) => this.#onEvent(event, session),
      onAlive: () => {
        this.#failures = 0;
      },
    });
    const leave = () => connection.leave();
    signal.addEventListener('abort', leave);
    const { code, session, waitMs } = await connection.ended;
    signal.removeEventListener('abort', leave);
    const refusal = refusalOf(code, clientId);
    if (refusal) throw refusal;
    this.#session = SESSION_ENDED_CODES.includes(code) ? undefined : session;
    return waitMs;
  }

  #onEvent(event: GatewayDispatchPayload, session: GatewaySession): void {
    this.#session = session;
    this.#options.onEvent(event, session);
    if (event.t === 'READY' || event.t === 'RESUMED') this.#firstTry.resolve();
  }

  async #findUrl(): Promise<{ url: string } | { url?: never; waitMs: number | undefined }> {
    if (this.#session && this.#failures < MAX_TRIES_OF_RESUME_URL) return { url: this.#session.resumeUrl };
    try {
      const { signal } = this.#stopping;
      const bot = (await this.#options.api.send('GET', '/gateway/bot', { tries: 1, signal })) as GatewayBot;
      const { remaining, reset_after: waitMs } = bot.session_start_limit;
      // Discord revokes the token of a bot that opens more than its 1,000 sessions a day.
      return this.#session || remaining > 0 ? { url: bot.url } : { waitMs };
    } catch (error) {
      if (error instanceof DiscordUnavailable) return { waitMs: error.waitMs };
      throw error;
    }
  }
}
