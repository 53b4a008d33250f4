/** Texts of a document -> the descriptions that models choose by: plain text, without the markup of a web page. */
import { isObject } from '../../protocol/json-object';
import { DEFAULT_LIMITS } from '../../protocol/limits';
import type { OpenapiDocument } from './document';
import type { Operation } from './operations';
import { limitText, plainText } from './plain-text';

/** Room for characters that the service's normal form adds. */
const MAX_CHARS = DEFAULT_LIMITS.descriptionChars - 100;
const MAX_INFO_CHARS = 400;

/** The summary first: words of a long description that many operations share do not help a search. */
export function operationText({ summary, description, key }: Operation): string {
  const parts = [summary, description].map((text) => plainText(text ?? '')).filter((text) => text !== '');
  const [first, second] = parts;
  const isRepeated = first !== undefined && second?.toLowerCase().startsWith(first.replace(/\.$/, '').toLowerCase());
  const text = isRepeated ? second : [first && second ? withFullStop(first) : first, second].filter(Boolean).join('\n\n');
  return limitText(text || key, MAX_CHARS);
}

export function toolkitDetails({ root }: OpenapiDocument): { name: string; description: string } {
  const info = isObject(root.info) ? root.info : {};
  const title = plainText(String(info.title ?? '')) || 'API';
  const [sentence = ''] = /^.+?(?:[.!?](?=\s|$)|$)/s.exec(plainText(typeof info.description === 'string' ? info.description : '')) ?? [];
  const description = [withFullStop(title), sentence.replace(/\s+/g, ' ')].filter(Boolean).join(' ');
  return {
    name: limitText(title.replace(/\s+/g, ' '), DEFAULT_LIMITS.toolkitNameChars),
    description: limitText(description, MAX_INFO_CHARS),
  };
}

function withFullStop(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}
