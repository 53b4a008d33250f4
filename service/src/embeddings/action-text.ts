/** The text of an action that becomes its vector. */

import type { SearchDocument } from '../catalog/search/index';
import { payloadText } from '../catalog/search/payload-text';

/** About 500 tokens, which small models accept; the beginning matters most. */
const MAX_TEXT_CHARS = 2_000;

export function actionText({ toolkitName, name, description, payloadSchema }: SearchDocument): string {
  const words = name.replace(/[_-]+/g, ' ');
  return cutText(`${toolkitName}: ${words}\n${description}\n${payloadText(payloadSchema)}`);
}

/** Cuts at whole characters: some servers fail on a lone surrogate. */
export function cutText(text: string): string {
  return text.slice(0, MAX_TEXT_CHARS).toWellFormed().trim();
}
