/** Explains in one sentence why a search returns an action or not, with the remedy. */
import type { ExplainResponse } from '#sdk/protocol/http';
import type { ListedAction } from '../catalog/review/action-reviews';
import { STOP_WORDS } from '../catalog/search/stop-words';
import type { ActionRecord } from '../store/store';

const MAX_WORDS = 6;

type Explained = Pick<ExplainResponse, 'found' | 'rank' | 'online' | 'exact' | 'terms' | 'missing' | 'usage'>;

const EXACT = { id: 'its id', name: 'its name', toolkit: 'the name of its toolkit' };

export function explainReason(explained: Explained, { action, limit }: { action: ListedAction; limit: number }): string {
  const { found, rank, online, exact, missing } = explained;
  if (action.held === 'rejected') return 'An owner rejected its texts, and no search returns it until they change';
  if (action.held !== undefined) return "It waits for an owner's approval, and no search returns it until then";
  if (rank === null) {
    const lack = missing.length === 0 ? 'The query has no words to search by' : 'No word of the query is in it';
    return `${lack}; words that would find it: ${ownWords(action).join(', ')}`;
  }
  const because = exact === undefined ? best(explained) : `the query is ${EXACT[exact]}`;
  if (!online) return `No process serves it now, and a search returns only actions that are online; it would be number ${rank}: ${because}`;
  if (found) return `It is number ${rank}: ${because}`;
  return `It is number ${rank}, and a search returns ${limit}: ${because}${lacking(explained)}`;
}

/** Describes the term and field with the highest weight. */
function best({ terms, usage }: Explained): string {
  const [first] = terms;
  if (first === undefined && usage === 0) return 'no word of the query is in it, but its meaning is near';
  const places = Object.entries(first?.fields ?? {}).sort(([, a], [, b]) => b - a);
  const words = Math.max(0, ...terms.map(({ fields }) => sum(Object.values(fields))));
  if (first === undefined || usage > words) return 'agents with similar queries have used it';
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
  if (missing.length === 0) return '; others have the same words more often';
  return `; it lacks ${missing
    .slice(0, MAX_WORDS)
    .map((word) => `"${word}"`)
    .join(', ')}`;
}

/** Words that find the action; words of its name first. */
function ownWords({ name, description }: ActionRecord): string[] {
  const words = `${name.replaceAll(/(?<=[a-z])(?=[A-Z])|[-_]/g, ' ')} ${description}`.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 1 && !STOP_WORDS.has(word)).slice(0, MAX_WORDS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
