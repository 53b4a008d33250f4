/** Checks the return value of a client, which may be written in JavaScript: an invalid message must not end the agent. */
import type { MessageContext } from './message-context';

type Unchecked = { [Name in keyof MessageContext]: unknown };

/** Describes the fault of an invalid message; undefined for a valid one. */
export function messageProblem(received: unknown): string | undefined {
  if (typeof received !== 'object' || received === null) return `it is ${kindOf(received)}, not an object`;
  const { chatId, userId, message, messageId, userName, images, answer } = received as Unchecked;
  const texts = { chatId, userId, message, messageId: messageId ?? '', userName: userName ?? '' };
  for (const [name, value] of Object.entries(texts)) if (typeof value !== 'string') return `${name} must be a text, not ${kindOf(value)}`;
  if (!isListOfTexts(images ?? [])) return 'images must be a list of data URLs';
  if (answer != null && !isAnswer(answer)) return 'answer must be { questionId, approved }';
  return isJson(received) ? undefined : 'it must be JSON: it is stored';
}

function kindOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : typeof value;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isAnswer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('questionId' in value && 'approved' in value)) return false;
  return typeof value.questionId === 'string' && typeof value.approved === 'boolean';
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
