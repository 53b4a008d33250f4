/** The public entry `svc-sdk/agent/discord`. */
import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import { BaseClient, type Question } from '../chat/base-client';
import type { Message } from '../chat/message';
import type { MessageContext } from '../chat/message-context';
import { replyImages, replyText } from '../chat/reply';
import { DiscordApi } from './discord/api';
import { Arrivals } from './discord/arrivals';
import { botIdOf } from './discord/bot-token';
import { readButton } from './discord/buttons';
import { Channel } from './discord/channel';
import { Gateway } from './discord/gateway';
import { type GatewaySession, readSession } from './discord/gateway-session';
import { loadRest } from './discord/load-rest';
import { isForBot, readMessage, readPress } from './discord/read-message';

/** `receiveMessage` returns at least this often, so that the cursor is stored and the lease renewed. */
const RECEIVE_MS = 20_000;
const PRESS_TRIES = 2;
/** Discord's numbers of interactions and components. */
const COMPONENT_INTERACTION = 3;
const DEFERRED_UPDATE = 6;

export interface DiscordOptions {
  /** Shown once on the page Bot of https://discord.com/developers/applications. */
  botToken: string;
  /** Default: `https://discord.com/api/v10`. */
  apiUrl?: string;
}

/**
 * A Discord bot: direct messages, and messages in servers that mention it or reply to it. Needs the package `@discordjs/rest`.
 *
 * The cursor is the gateway's session. A restart resumes the session, and Discord sends the messages of the time in between, as long as it
 * keeps the session.
 */
export class DiscordClient extends BaseClient {
  override readonly clientId: string;
  readonly #botToken: string;
  readonly #apiUrl: string;
  readonly #botId: string;
  #arrivals = new Arrivals();
  #stopping = new AbortController();
  #api: DiscordApi | undefined;
  #gateway: Gateway | undefined;

  /** @throws Error for an invalid `botToken` */
  constructor({ botToken, apiUrl = 'https://discord.com/api/v10' }: DiscordOptions) {
    super();
    this.#botToken = botToken;
    this.#apiUrl = apiUrl;
    this.#botId = botIdOf(botToken);
    this.clientId = `discord-${this.#botId}`;
  }

  override async start(): Promise<void> {
    const [rest, { WebSocket }] = await Promise.all([loadRest(), import('ws')]);
    const [clientId, botToken] = [this.clientId, this.#botToken];
    const api = new DiscordApi(rest, { apiUrl: this.#apiUrl, botToken, clientId });
    const arrivals = new Arrivals();
    this.#api = api;
    this.#arrivals = arrivals;
    this.#stopping = new AbortController();
    this.#gateway = new Gateway({
      api,
      WebSocket,
      clientId,
      botToken,
      session: readSession(this.cursor),
      onEvent: (event, session) => this.#onEvent(event, session),
      onRefused: (error) => arrivals.fail(error),
    });
    await this.#gateway.start();
  }

  override async stop(): Promise<void> {
    this.#stopping.abort(new Error(`${this.clientId} was stopped`));
    this.#arrivals.wake();
    await this.#gateway?.stop();
    this.#api?.close();
  }

  override async receiveMessage({ signal }: { signal: AbortSignal }): Promise<MessageContext | null> {
    const arrivals = this.#arrivals;
    const stopping = this.#stopping.signal;
    if (stopping.aborted) return null;
    await arrivals.wait(RECEIVE_MS, signal);
    for (let arrival = arrivals.first; arrival; arrival = arrivals.first) {
      const { message, press, session } = arrival;
      const ended = AbortSignal.any([signal, stopping]);
      const ctx = press ? readPress(press) : message ? await readMessage(message, this.#botId, ended) : null;
      // The cursor must not pass a message that was not returned.
      if (ended.aborted) return null;
      arrivals.removeFirst();
      this.cursor = session;
      if (ctx) return ctx;
    }
    arrivals.throwIfRefused();
    return null;
  }

  override async sendMessage(ctx: MessageContext, replyMessages: readonly Message[]): Promise<void> {
    await this.#channel(ctx).reply(replyText(replyMessages), replyImages(replyMessages));
  }

  override async setTyping(ctx: MessageContext): Promise<void> {
    await this.#channel(ctx).showTyping();
  }

  override showPartial(ctx: MessageContext, text: string): Promise<unknown> {
    return this.#channel(ctx).showPartial(text);
  }

  override askApproval(ctx: MessageContext, question: Question): Promise<unknown> {
    return this.#channel(ctx).ask(question);
  }

  override async endQuestion(ctx: MessageContext, shown: unknown, text: string): Promise<void> {
    await this.#channel(ctx).endQuestion(shown, text);
  }

  #channel(ctx: MessageContext): Channel {
    return new Channel(this.#started(), ctx, this.#stopping.signal);
  }

  #started(): DiscordApi {
    if (!this.#api) throw new Error(`Start ${this.clientId} before it sends: await client.start()`);
    return this.#api;
  }

  #onEvent(event: GatewayDispatchPayload, session: GatewaySession): void {
    if (event.t === 'MESSAGE_CREATE' && isForBot(event.d, this.#botId)) return this.#arrivals.push({ session, message: event.d });
    if (event.t !== 'INTERACTION_CREATE' || event.d.type !== COMPONENT_INTERACTION) return this.#arrivals.push({ session });
    const press = event.d;
    if (!readButton(press.data.custom_id)) return this.#arrivals.push({ session });
    this.#arrivals.push({ session, press });
    this.#endSpinner(press);
  }

  /**
   * Discord shows an error after 3 seconds without an answer to a press, so the press is answered before the agent handles it. After a
   * restart it is too late.
   */
  #endSpinner({ id, token }: { id: string; token: string }): void {
    this.#started()
      .send('POST', `/interactions/${id}/${token}/callback`, {
        body: { type: DEFERRED_UPDATE },
        signal: this.#stopping.signal,
        tries: PRESS_TRIES,
        secretPath: `/interactions/${id}/callback`,
      })
      .catch(() => {});
  }
}
