/**
 * The Bot API through grammY: waits for rate limits, and retries temporary failures.
 *
 * Units:  waits in milliseconds; a 429 waits for its `parameters.retry_after`.
 * Errors: TelegramFailure; an abort rejects with the signal's reason.
 */

import type { RawApi } from 'grammy';
import { MAX_IMAGE_BYTES } from '../../chat/images';
import { pause } from '../../lib/races';
import { readImageBytes } from '../image-bytes';
import { retryWaitMs } from '../retry-wait';
import { TelegramFailure, toFailure, unreachableTelegram, wrongToken } from './failure';
import type { Grammy } from './load-grammy';

/** Telegram ends the older of two polls with 409. The wait is longer than a poll of the other poller. */
const CONFLICT_MS = 35_000;
/** Methods that are useless after a wait. */
const WITHOUT_WAIT: ReadonlySet<string> = new Set(['sendChatAction', 'answerCallbackQuery']);
/** Time for an answer beyond the time of a poll, since a half-open connection never answers. */
const ANSWER_SECONDS = 15;
const DOWNLOAD_MS = 20_000;
const DOWNLOAD_TRIES = 3;

export interface TelegramAccount {
  botToken: string;
  apiRoot: string;
  pollSeconds: number;
  clientId: string;
}

export interface Patience {
  signal: AbortSignal;
  /** Default: unlimited. */
  tries?: number;
}

export class TelegramApi {
  readonly #grammy: Grammy;
  readonly #account: TelegramAccount;
  readonly #raw: RawApi;

  constructor(grammy: Grammy, account: TelegramAccount) {
    const { botToken, apiRoot, pollSeconds } = account;
    const api = new grammy.Api(botToken, { apiRoot, timeoutSeconds: pollSeconds + ANSWER_SECONDS });
    const waitOut = grammy.autoRetry({ rethrowInternalServerErrors: true, rethrowHttpErrors: true });
    api.config.use((previous, method, payload, signal) =>
      WITHOUT_WAIT.has(method) ? previous(method, payload, signal) : waitOut(previous, method, payload, signal),
    );
    this.#grammy = grammy;
    this.#account = account;
    this.#raw = api.raw;
  }

  call<T>(run: (raw: RawApi, signal: RawSignal) => Promise<T>, patience: Patience): Promise<T> {
    return this.#patiently(async () => {
      try {
        // grammY declares the AbortSignal of another package, and accepts Node's.
        return await run(this.#raw, patience.signal as unknown as RawSignal);
      } catch (error) {
        patience.signal.throwIfAborted();
        throw toFailure(this.#grammy, error, this.#account.clientId);
      }
    }, patience);
  }

  /**
   * Downloads a picture. Its URL holds the token and must not be passed on.
   *
   * @returns undefined for a file that is too large or cannot be downloaded, since the text of its message and other chats must not wait
   * @throws TelegramFailure for a wrong token
   */
  async download(fileId: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const patience = { signal, tries: DOWNLOAD_TRIES };
    try {
      const { file_path: path = '', file_size: size = 0 } = await this.call((raw, end) => raw.getFile({ file_id: fileId }, end), patience);
      return size > MAX_IMAGE_BYTES ? undefined : await this.#patiently(() => this.#fetchFile(path, signal), patience);
    } catch (error) {
      if (error instanceof TelegramFailure && !error.isWrongToken) return undefined;
      throw error;
    }
  }

  upload(bytes: Uint8Array, name: string): InstanceType<Grammy['InputFile']> {
    return new this.#grammy.InputFile(bytes, name);
  }

  async #fetchFile(path: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const { apiRoot, botToken, clientId } = this.#account;
    try {
      const url = `${apiRoot}/file/bot${botToken}/${encodeURI(path)}`;
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]) });
      if (response.ok) return await readImageBytes(response);
      await response.body?.cancel();
      if (response.status === 401) throw wrongToken(clientId, 401);
      throw new TelegramFailure(`Telegram refused a file to ${clientId}: ${response.status}`, response.status);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof TelegramFailure ? error : unreachableTelegram((error as Error).cause, clientId);
    }
  }

  async #patiently<T>(run: () => Promise<T>, { signal, tries = Number.POSITIVE_INFINITY }: Patience): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof TelegramFailure && error.isRetryable) || tried >= tries) throw error;
        await pause(error.status === 409 ? CONFLICT_MS : retryWaitMs(tried), signal);
      }
    }
  }
}

export type RawSignal = Parameters<RawApi['getMe']>[0];
