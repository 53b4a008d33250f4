/** Checks subjects and messages when they are sent, while the stack still names the caller. */
import { SvcError } from '#sdk/protocol/errors';
import { MAX_MESSAGE_CHARS } from './bus';

const SUBJECT = /^[\w-]+(?:\.[\w-]+)*$/;
const WORD = /^[\w-]+$/;

export function checkSubject(subject: string): void {
  if (!SUBJECT.test(subject))
    throw new SvcError('INVALID_REQUEST', `"${subject}" is not a subject: write words of letters, digits, _ and - with dots between`);
}

export function checkGroup(group: string): void {
  if (!WORD.test(group)) throw new SvcError('INVALID_REQUEST', `"${group}" is not a group: write a word of letters, digits, _ and -`);
}

export function checkMessage(message: string): void {
  if (message.length > MAX_MESSAGE_CHARS)
    throw new SvcError('INVALID_REQUEST', `A message of ${message.length} characters is above the limit of ${MAX_MESSAGE_CHARS}`);
}
