/** An attacker with one toolkit and ten agent keys: descriptions and names made of the popular queries, and calls of its own actions after them. */
import type { SearchDocument } from '../../service/src/catalog/search/index.ts';
import type { Use, Wish } from './scene.ts';

const TOOLKIT = 'best-tools';
const KEYS = 10;
/** Any number of times; evidence counts only the first. */
const CALLS = 5;
const MAX_NAME_CHARS = 50;
const MAX_DESCRIPTION_CHARS = 4_000;
const MAX_ACTIONS = 1_000;

/**
 * Actions for each wish, as many as a toolkit may have in total: one is described by the query itself, the others by longer paraphrases.
 *
 * @param options.named whether they are also named after the query
 */
export function stuffedActions(wishes: readonly Wish[], { named }: { named: boolean }): SearchDocument[] {
  const variants = Math.floor(MAX_ACTIONS / wishes.length);
  return wishes.flatMap(({ query, paraphrases }, number) =>
    Array.from({ length: variants }, (_, variant) => {
      const words = [query, ...paraphrases.slice(0, variant)].join('\n');
      const description = variant === 1 ? Array(10).fill(query).join('\n') : words;
      const name = ownName(query, number, { named });
      return action(variant === 0 ? name : `${name.slice(0, MAX_NAME_CHARS - 8)}_${number}_${variant}`, description);
    }),
  );
}

/** One action for each wish, and nothing in its texts that helps it. */
export function plainActions(wishes: readonly Wish[]): SearchDocument[] {
  return wishes.map(({ query }, number) => action(ownName(query, number, { named: false }), `Runs procedure ${number} of the suite`));
}

/**
 * Each key "succeeds" with the attacker's own action after the popular query, again and again.
 *
 * @param options.wanted for how many of the wishes; fewer means more for each
 * @param options.words for each wish: the query itself, and so many other words for it
 * @param options.named whether the actions are named after the queries
 */
export function fakeUse(
  wishes: readonly Wish[],
  { wanted, words, named = false }: { wanted: number; words: number; named?: boolean },
): Use[] {
  const keys = Array.from({ length: KEYS }, (_, key) => `attacker_${key}`);
  return wishes.slice(0, wanted).flatMap(({ query, paraphrases }, number) => {
    const action = `${TOOLKIT}__${ownName(query, number, { named })}`;
    return [query, ...paraphrases.slice(0, words)].flatMap((said) =>
      keys.flatMap((keyId) => Array.from({ length: CALLS }, () => ({ keyId, query: said, action }))),
    );
  });
}

export function isOwn(action: string): boolean {
  return action.startsWith(`${TOOLKIT}__`);
}

/** The name of the pushed action, without variants. */
function ownName(query: string, number: number, { named }: { named: boolean }): string {
  return named ? query.replace(/[^A-Za-z0-9]+/g, '_').slice(0, MAX_NAME_CHARS) : `wish_${number}`;
}

function action(name: string, description: string): SearchDocument {
  return {
    id: `${TOOLKIT}__${name}`,
    name,
    description: description.slice(0, MAX_DESCRIPTION_CHARS),
    toolkitId: TOOLKIT,
    toolkitName: 'Best tools',
    toolkitDescription: '',
    payloadSchema: { type: 'object' },
  };
}
