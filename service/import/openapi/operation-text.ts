/** Converts texts of a document to the descriptions that models read: plain text, without HTML or Markdown. */
import { isObject } from '#sdk/protocol/json-object';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import type { ImportedAction } from '../imported-action';
import type { OpenapiDocument } from './document';
import { operationSentence } from './operation-sentence';
import type { Operation } from './operations';
import { limitText, openingSentence, plainText, withFullStop } from './plain-text';

/** Space for characters that the service's normal form adds. */
const MAX_CHARS = DEFAULT_LIMITS.descriptionChars - 100;
const MAX_INFO_CHARS = 400;

/**
 * The summary first: words of a long description that many operations share do not help a search. An operation without a text gets a sentence.
 *
 * @param tagTexts as `tagDescriptions` returns them
 */
export function operationText(
  operation: Operation,
  tagTexts: ReadonlyMap<string, string>,
): Pick<ImportedAction, 'actionDescription' | 'isUndescribed'> {
  const parts = [operation.summary, operation.description].map((text) => plainText(text ?? '')).filter((text) => saysMore(text, operation));
  const [first, second] = parts;
  const isRepeated = first !== undefined && second?.toLowerCase().startsWith(first.replace(/\.$/, '').toLowerCase());
  const text = isRepeated ? second : [first && second ? withFullStop(first) : first, second].filter(Boolean).join('\n\n');
  if (text) return { actionDescription: limitText(text, MAX_CHARS) };
  return { actionDescription: limitText(operationSentence(operation, tagTexts), MAX_CHARS), isUndescribed: true };
}

/** False for `addCards()` of the operation `addCards`, and for `POST /cards`. */
function saysMore(text: string, { id = '', key, path }: Operation): boolean {
  const letters = lettersOf(text);
  return letters !== '' && ![id, key, path].some((name) => lettersOf(name) === letters);
}

export function toolkitDetails({ root }: OpenapiDocument): { name: string; description: string } {
  const info = isObject(root.info) ? root.info : {};
  const title = plainText(String(info.title ?? '')) || 'API';
  const sentence = openingSentence(plainText(typeof info.description === 'string' ? info.description : ''));
  const description = [withFullStop(title), sentence].filter(Boolean).join(' ');
  return {
    name: limitText(title.replace(/\s+/g, ' '), DEFAULT_LIMITS.toolkitNameChars),
    description: limitText(description, MAX_INFO_CHARS),
  };
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
