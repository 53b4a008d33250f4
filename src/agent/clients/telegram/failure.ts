/**
 * A request that Telegram refused or did not answer.
 *
 * Errors: the message holds neither the token nor a URL. Errors of grammY are not kept as `cause`: they hold the URL, which holds the
 *         token.
 * Source: https://core.telegram.org/bots/api#making-requests
 */
import type { Grammy } from './load-grammy';

export class TelegramFailure extends Error {
  override readonly name = 'TelegramFailure';
  /** Telegram's error code, as in HTTP; undefined if there was no answer. */
  readonly status: number | undefined;
  readonly isWrongToken: boolean;
  /** The id of the supergroup that replaced the group. */
  readonly movedTo: number | undefined;

  constructor(
    message: string,
    status?: number,
    { isWrongToken = false, movedTo }: { isWrongToken?: boolean; movedTo?: number | undefined } = {},
  ) {
    super(message);
    this.status = status;
    this.isWrongToken = isWrongToken;
    this.movedTo = movedTo;
  }

  /** True for another poller, rate limits, failures of Telegram, and network errors. */
  get isRetryable(): boolean {
    const { status } = this;
    return status === undefined || status === 409 || status === 429 || status >= 500;
  }

  /** True if Telegram refuses the content; other content may be accepted. */
  get isOfContent(): boolean {
    return this.status === 400 || this.status === 413;
  }

  get isNotModified(): boolean {
    return this.status === 400 && this.message.includes('message is not modified');
  }

  /** True if the edited message was deleted or is too old. */
  get isNotEditable(): boolean {
    return this.status === 400 && /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/.test(this.message);
  }
}

export function toFailure({ GrammyError, HttpError }: Grammy, error: unknown, clientId: string): TelegramFailure {
  if (error instanceof GrammyError) {
    const { error_code: status, description, method, parameters } = error;
    // 401 is a revoked token, 404 an unknown token.
    if (status === 401 || status === 404) return wrongToken(clientId, status);
    return new TelegramFailure(`Telegram refused ${method} of ${clientId}: ${status} ${description}`, status, {
      movedTo: parameters.migrate_to_chat_id,
    });
  }
  if (error instanceof HttpError) return unreachableTelegram(error.error, clientId);
  if (error instanceof TelegramFailure) return error;
  throw error;
}

export function wrongToken(clientId: string, status: number): TelegramFailure {
  return new TelegramFailure(
    `Telegram refused the bot token of ${clientId} (${status}). Send /token to @BotFather (https://t.me/BotFather), and set what it answers as botToken`,
    status,
    { isWrongToken: true },
  );
}

/** Uses only the error's code, such as ECONNREFUSED: the other fields hold the URL. */
export function unreachableTelegram(error: unknown, clientId: string): TelegramFailure {
  const { code, type } = (error ?? {}) as { code?: unknown; type?: unknown };
  return new TelegramFailure(`Telegram did not answer ${clientId} (${String(code ?? type ?? 'no answer in time')})`);
}
