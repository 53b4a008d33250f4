/** grammY and its plugin for rate limits: optional peers, loaded by `start()`. */
import { packageError } from '../../../protocol/package-error';

const USER = 'A TelegramClient';
const BOTH = 'grammy @grammyjs/auto-retry';

export type Grammy = Pick<typeof import('grammy'), 'Api' | 'GrammyError' | 'HttpError' | 'InputFile'> &
  Pick<typeof import('@grammyjs/auto-retry'), 'autoRetry'>;

/** @throws SvcError that has the install command, if one of the packages is missing */
export async function loadGrammy(): Promise<Grammy> {
  const { Api, GrammyError, HttpError, InputFile } = await import('grammy').catch((cause) => {
    throw packageError(USER, 'grammy', cause, BOTH);
  });
  const { autoRetry } = await import('@grammyjs/auto-retry').catch((cause) => {
    throw packageError(USER, '@grammyjs/auto-retry', cause, BOTH);
  });
  return { Api, GrammyError, HttpError, InputFile, autoRetry };
}
