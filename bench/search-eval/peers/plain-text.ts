/** The same fields for every peer, as texts. */
import type { SearchDocument } from '../../../service/src/catalog/search/index.ts';
import { payloadText } from '../../../service/src/catalog/search/payload-text.ts';
import { STOP_WORDS } from '../../../service/src/catalog/search/stop-words.ts';

export const FIELDS = ['name', 'toolkit', 'description', 'payload', 'toolkitDescription'] as const;
export type PlainText = Record<(typeof FIELDS)[number], string>;

export function plainText({ name, toolkitName, description, payloadSchema, toolkitDescription }: SearchDocument): PlainText {
  return { name, toolkit: toolkitName, description, payload: payloadText(payloadSchema), toolkitDescription };
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const PIECE = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{L}+/gu;

export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** `getUserByID2` is `get user ID 2` then. */
export function splitWordsOf(text: string): string[] {
  return wordsOf(text)
    .flatMap((word) => word.match(PIECE) ?? [])
    .filter((piece) => !STOP_WORDS.has(piece.toLowerCase()));
}
