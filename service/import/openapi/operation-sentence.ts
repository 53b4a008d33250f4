/**
 * A sentence for an operation without a description, made from the operationId, the path and the tag.
 *
 * Shape: `createSiteBuild`, `POST /sites/{site_id}/builds`, tag `build` -> "Create site build: builds of sites. A build is one run of …".
 */
import { isObject } from '#sdk/protocol/json-object';
import type { OpenapiDocument } from './document';
import type { Operation } from './operations';
import { openingSentence, plainText, withFullStop } from './plain-text';

/** The verbs of operations without an operationId. A POST may have any effect. */
const VERBS: Readonly<Record<string, string>> = {
  GET: 'Get',
  HEAD: 'Check',
  OPTIONS: 'List the options of',
  POST: 'Create or run',
  PUT: 'Set',
  PATCH: 'Update',
  DELETE: 'Delete',
};
/** Parts of a path without a meaning: `/api/rest/v2/…`. */
const NO_NOUN = /^(?:api|rest|v?\d[\d.]*(?:(?:alpha|beta)\d*)?)$/i;

/** @param tagTexts as `tagDescriptions` returns them */
export function operationSentence({ id, method, path, tags }: Operation, tagTexts: ReadonlyMap<string, string>): string {
  const things = thingsOf(path);
  const [verb = method] = [VERBS[method]];
  const action = id === undefined ? `${verb} ${things || path}` : [capitalised(wordsOf(id)) || id, things].filter(Boolean).join(': ');
  const said = action.toLowerCase();
  const about = tags.map((tag) => tagTexts.get(tag) ?? wordsOf(tag)).find((text) => text !== '' && !said.includes(text.toLowerCase()));
  return [action, about && capitalised(about)]
    .filter((text) => text !== undefined)
    .map(withFullStop)
    .join(' ');
}

/** Tag -> the first sentence of its description. */
export function tagDescriptions({ root }: OpenapiDocument): Map<string, string> {
  const texts = new Map<string, string>();
  for (const tag of Array.isArray(root.tags) ? root.tags : []) {
    if (!isObject(tag) || typeof tag.name !== 'string' || typeof tag.description !== 'string') continue;
    const text = openingSentence(plainText(tag.description));
    if (text !== '' && !/^\S+$/.test(text)) texts.set(tag.name, text);
  }
  return texts;
}

/** `/sites/{site_id}/builds` -> "builds of sites", `/sites/{site_id}` -> "one of the sites". */
function thingsOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const nouns = parts.filter((part) => !part.includes('{') && !NO_NOUN.test(part)).map(wordsOf);
  const isOne = parts.at(-1)?.startsWith('{') && nouns.length > 0;
  return `${isOne ? 'one of the ' : ''}${nouns.reverse().join(' of ')}`;
}

/** `addCardsByIdCard`, `add_cards-byIdCard` -> "add cards by id card". */
function wordsOf(name: string): string {
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{L}\p{M}]+/gu) ?? [];
  return words.map((word) => (/^\p{Lu}\p{Ll}/u.test(word) ? word.toLowerCase() : word)).join(' ');
}

function capitalised(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
