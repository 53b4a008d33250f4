/**
 * Names of imported actions. A name depends only on its original, so it does not change when the source adds actions; only equal names depend on
 * each other.
 *
 * Shape: `[A-Za-z0-9_-]+`, short enough that `<toolkit id>__<name>` has at most 64 characters.
 */
import { createHash } from 'node:crypto';
import { ACTION_ID_SEPARATOR, MAX_ACTION_ID_CHARS } from '#sdk/protocol/ids';

export interface NamedSource {
  /** The original name, such as an operationId or the name of an MCP tool. */
  original: string;
  /** Unique within the source, such as `GET /pets`. */
  key: string;
}

const HASH_CHARS = 6;
const NAMELESS = 'action';

/**
 * One name for each source, in order.
 *
 * @param kept key of a source -> its earlier name, which it keeps when others are added
 */
export function actionNames(sources: readonly NamedSource[], toolkitId: string, kept: ReadonlyMap<string, string> = new Map()): string[] {
  const room = MAX_ACTION_ID_CHARS - ACTION_ID_SEPARATOR.length - toolkitId.length;
  const names = sources.map(({ original, key }) => {
    const name = withoutToolkitId(legal(original), toolkitId) || legal(key);
    // A name in another script has no legal character.
    return kept.get(key) ?? (name === '' ? withHash(NAMELESS, key, room) : fitName(name, original, room));
  });
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return sources.map(({ key }, index) => {
    const name = names[index] ?? '';
    return kept.has(key) || counts.get(name) === 1 ? name : withHash(name, key, room);
  });
}

/** Words for an operation without a name: `GET /repos/{owner}/issues` -> `get_repos_by_owner_issues`. */
export function nameOfPath(method: string, path: string): string {
  return legal(`${method.toLowerCase()}_${path.replace(/\{([^{}]*)\}/g, 'by_$1')}`);
}

function legal(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');
}

/** `github_list_repos` of the toolkit `github` -> `list_repos`. */
function withoutToolkitId(name: string, toolkitId: string): string {
  const prefix = toolkitId.replaceAll('-', '_').toLowerCase();
  const isPrefix = prefix !== '' && name.toLowerCase().replaceAll('-', '_').startsWith(`${prefix}_`);
  return isPrefix ? name.slice(prefix.length + 1).replace(/^[_-]+/, '') : name;
}

function fitName(name: string, original: string, room: number): string {
  return name.length <= room ? name : withHash(name, original, room);
}

function withHash(name: string, hashed: string, room: number): string {
  const hash = createHash('sha256').update(hashed).digest('hex').slice(0, HASH_CHARS);
  return `${shorten(name, room - HASH_CHARS - 1)}_${hash}`;
}

/** Removes repeated words, then whole words from the middle: the first words name the effect, the last ones the object. */
function shorten(name: string, room: number): string {
  if (name.length <= room) return name;
  const words = wordsOf(name);
  const seen = new Set<string>();
  const kept = words.filter(({ word }) => !seen.has(word.toLowerCase()) && seen.add(word.toLowerCase()));
  while (kept.length > 1 && joined(kept).length > room) kept.splice(Math.floor(kept.length / 2), 1);
  return joined(kept)
    .slice(0, room)
    .replace(/[_-]+$/, '');
}

interface Word {
  /** The separator before it; empty before a capital of camel case. */
  joint: string;
  word: string;
}

/** `readCore-v1_pods` -> read, Core, -v1, _pods. */
function wordsOf(name: string): Word[] {
  return [...name.matchAll(/([_-]*)([A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[A-Z])/g)].map(([, joint = '', word = '']) => ({ joint, word }));
}

function joined(words: readonly Word[]): string {
  return words
    .map(({ joint, word }) => joint + word)
    .join('')
    .replace(/^[_-]+/, '');
}
