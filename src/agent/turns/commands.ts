/** Commands and codes, which the agent answers without the model. */
import { readConfirmationCode } from '../../protocol/connections';

export const NEW_COMMAND = '/new';
export const STOP_COMMAND = '/stop';

export function isCommand(message: string, command: string): boolean {
  return message.trim().toLowerCase() === command;
}

/** The answer yes or no in a text; undefined for any other text. */
export function readYesOrNo(message: string): boolean | undefined {
  const word = message.trim().toLowerCase().replace(/[.!]$/, '');
  if (word === 'yes' || word === 'y') return true;
  return word === 'no' || word === 'n' ? false : undefined;
}

/**
 * The code of a connect page in a message. Links of Telegram send it as `/start <code>`.
 *
 * @param isExpected whether the person was asked for a code: then it may stand in a sentence, and a word of ten letters may be one
 */
export function readCode(message: string, isExpected: () => boolean): string | undefined {
  const [, start, text = ''] = /^\s*(\/start\s+)?(.*)$/is.exec(message) ?? [];
  const whole = readConfirmationCode(text);
  if (whole !== undefined && (start !== undefined || text.includes('-'))) return whole;
  const code = whole ?? readConfirmationCode(/(?<![\w-])\w{5}-\w{5}(?![\w-])/.exec(text)?.[0] ?? '');
  return code !== undefined && isExpected() ? code : undefined;
}
