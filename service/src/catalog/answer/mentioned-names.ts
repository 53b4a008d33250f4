/**
 * Names in the texts of an action that may be other actions of its toolkit: `first get the id with list_projects`.
 *
 * Shape:  action names, each at most once, in their order. A plain word counts only in backticks or quotes,
 *         because there are actions called `search` and `get` and descriptions that use the words.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { ACTION_ID_SEPARATOR } from '#sdk/protocol/ids';
import { isObject } from '#sdk/protocol/json-object';
import { subschemas } from '../../payload/schema-keywords';
import type { ActionRecord } from '../../store/store';

const NAME = /[A-Za-z0-9_-]{2,64}/g;
/** `list_projects`, `listProjects`, `list-projects`. */
const PLAINLY_A_NAME = /[A-Za-z0-9][_-]+[A-Za-z0-9]|[a-z][A-Z]/;
const QUOTES = /[`'"“”‘’«»]/;
/** Each costs a look into the catalogue. */
const MAX_NAMES = 50;

export function mentionedNames({ toolkitId, name, description, payloadSchema }: ActionRecord): string[] {
  const own = `${toolkitId}${ACTION_ID_SEPARATOR}`;
  const names = new Set<string>();
  for (const text of [description, ...descriptionsIn(payloadSchema)]) {
    for (const { 0: word, index } of text.matchAll(NAME)) {
      if (names.size === MAX_NAMES) break;
      const quoted = QUOTES.test(text.charAt(index - 1)) && QUOTES.test(text.charAt(index + word.length));
      if (quoted || PLAINLY_A_NAME.test(word)) names.add(word.startsWith(own) ? word.slice(own.length) : word);
    }
  }
  names.delete(name);
  return [...names];
}

function* descriptionsIn(schema: JsonSchema): Generator<string> {
  if (typeof schema.description === 'string') yield schema.description;
  for (const { schema: child } of subschemas(schema)) if (isObject(child)) yield* descriptionsIn(child);
}
