/** One sentence that says why a search gives an action or not, and what to do about it. */
import type { ExplainResponse } from '../../protocol/http';
import { STOP_WORDS } from '../catalog/search/stop-words';
import type { ActionRecord } from '../store/store';

const MAX_WORDS = 6;

type Explained = Pick<ExplainResponse, 'found' | 'rank' | 'online' | 'exact' | 'terms' | 'missing' | 'usage'>;

const EXACT = { id: 'its id', name: 'its name', toolkit: 'the name of its toolkit' };

export function explainReason(explained: Explained, { action, limit }: { action: ActionRecord; limit: number }): string {
  const { found, rank, online, exact, missing } = explained;
  if (rank === null) {
    const lack = missing.length === 0 ? 'The query has no words to search by' : 'No word of the query is in it';
    return `${lack}; words that would find it: ${ownWords(action).join(', ')}`;
  }
  const because = exact === undefined ? best(explained) : `the query is ${EXACT[exact]}`;
  if (!online) return `No process serves it now, and a search gives only what is online; it would be number ${rank}: ${because}`;
  if (found) return `It is number ${rank}: ${because}`;
  return `It is number ${rank}, and a search gives ${limit}: ${because}${lacking(explained)}`;
}

/** What counts the most, by word and place. */
function best({ terms, usage }: Explained): string {
  const [first] = terms;
  if (first === undefined && usage === 0) return 'no word of the query is in it, but its meaning is near';
  const places = Object.entries(first?.fields ?? {}).sort(([, a], [, b]) => b - a);
  const words = Math.max(0, ...terms.map(({ fields }) => sum(Object.values(fields))));
  if (first === undefined || usage > words) return 'agents that asked alike have used it';
  const place = PLACES[places[0]?.[0] ?? ''] ?? 'text';
  return `"${first.term}" in its ${place} counts the most`;
}

const PLACES: Record<string, string> = {
  name: 'name',
  toolkit: 'toolkit name',
  id: 'id',
  description: 'description',
  payload: 'payload description',
  toolkitDescription: 'toolkit description',
};

function lacking({ missing }: Explained): string {
  if (missing.length === 0) return '; others hold the same words, and more of them';
  return `; it lacks ${missing
    .slice(0, MAX_WORDS)
    .map((word) => `"${word}"`)
    .join(', ')}`;
}

/** Words under which it can be found, those of the name first. */
function ownWords({ name, description }: ActionRecord): string[] {
  const words = `${name.replaceAll(/(?<=[a-z])(?=[A-Z])|[-_]/g, ' ')} ${description}`.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 1 && !STOP_WORDS.has(word)).slice(0, MAX_WORDS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
