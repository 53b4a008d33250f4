/**
 * A query -> what a model gets: the best actions in full, others by name, within a token budget; see docs/discovery.md.
 *
 * Shape:  the same catalogue, query and rights give the same bytes.
 */

import { estimateTokens } from '#sdk/protocol/estimate-tokens';
import { ACTION_ID_SEPARATOR } from '#sdk/protocol/ids';
import type { ActionRecord, ToolkitRecord } from '../../store/store';
import type { RankingOptions } from '../search/index';
import { squeeze } from '../search/tokenize';
import { ActionCard } from './action-card';
import type { Query } from './clean-query';
import { BEST, fillBudget, type RelatedAction } from './fill-budget';
import type { Form } from './form';
import { hintOf, PARTIAL_HINT } from './hints';
import { mergeIntents, splitIntents } from './two-intents';

export interface SearchParts {
  /** Action ids, best first. */
  rank(query: string, options: RankingOptions): Promise<string[]>;
  /** Undefined for an id that is not, or no longer, in the catalogue. */
  action(id: string): ActionRecord | undefined;
  toolkit(id: string): ToolkitRecord | undefined;
  /** Whether a process serves the action now. */
  isOnline(id: string): boolean;
  /** Whether the caller may use the action. */
  mayUse(id: string): boolean;
}

export interface SearchWish {
  query: Query;
  /** How many actions at most. */
  limit: number;
  maxTokens: number;
}

export interface SearchAnswer {
  /** JSON text of a `SearchResponse`. */
  json: string;
  /** Ids of all actions in it that can be used now, in their order. */
  shown: string[];
}

const MAX_OFFLINE = 3;
const MAX_RELATED = 2;
/** Results of each part of a query, to see whether the parts are about one thing. */
const COMPARED = 10;
/** How many times the budget an action may take that is asked for by its id. */
const BY_ID = 6;
/** The answer around the actions. */
const FRAME_TOKENS = 20 + estimateTokens(PARTIAL_HINT);

export async function answerSearch(parts: SearchParts, { query, limit, maxTokens }: SearchWish): Promise<SearchAnswer> {
  const found = await findOnline(parts, query.text, limit);
  const offline = await offlineIds(parts, query.text, limit - found.length);
  const cards = found.map((id) => cardOf(parts, id)).filter((card) => card !== undefined);
  const related = relatedActions(parts, cards, limit);
  const ranked = cards.slice(0, limit - related.length);

  const hintBefore = hintOf({ query, shown: found, offline, partial: false });
  const tokens = maxTokens - FRAME_TOKENS - estimateTokens(JSON.stringify({ offline, hintBefore }));
  const isAskedFor = ranked[0] !== undefined && isNamed(ranked[0].id, query.text);
  const { actions, more } = fillBudget(ranked, related, { tokens, first: isAskedFor ? BY_ID * maxTokens : 0 });

  const shown = [...actions, ...more].map(({ info }) => info.action);
  const partial = more.length > 0 || actions.some(({ info: { shortened } }, index) => shortened && !(isAskedFor && index === 0));
  const hint = hintOf({ query, shown: found, offline, partial });
  return { json: responseJson({ actions, more, offline, hint }), shown };
}

interface ResponseParts {
  actions: readonly ShownForm[];
  more: readonly ShownForm[];
  offline: readonly string[];
  hint: string | undefined;
}

type ShownForm = Pick<Form<never>, 'json'>;

/** Joins the texts of the forms: to write their schemas again costs as much as the ranking. */
function responseJson({ actions, more, offline, hint }: ResponseParts): string {
  let json = `{"actions":${arrayJson(actions)}`;
  if (more.length > 0) json += `,"more":${arrayJson(more)}`;
  if (offline.length > 0) json += `,"offline":${JSON.stringify(offline)}`;
  if (hint !== undefined) json += `,"hint":${JSON.stringify(hint)}`;
  return `${json}}`;
}

function arrayJson(forms: readonly ShownForm[]): string {
  return `[${forms.map(({ json }) => json).join(',')}]`;
}

async function findOnline(parts: SearchParts, query: string, limit: number): Promise<string[]> {
  const intents = splitIntents(query);
  if (!intents) return find(parts, query, limit, true);
  const [whole, first, second] = await Promise.all([
    find(parts, query, limit, true),
    find(parts, intents[0], COMPARED, true),
    find(parts, intents[1], COMPARED, true),
  ]);
  return mergeIntents(whole, [first, second], limit);
}

function find({ rank, isOnline, mayUse }: SearchParts, query: string, limit: number, online: boolean): Promise<string[]> {
  return rank(query, { limit, accept: (id) => isOnline(id) === online && mayUse(id) });
}

/**
 * A model cannot use an offline action: such ids are named only where they would fill a gap, or when the query names one.
 *
 * @param gap how many more actions were wanted
 */
async function offlineIds(parts: SearchParts, query: string, gap: number): Promise<string[]> {
  const isWanted = gap > 0 || namesSomethingKnown(parts, query);
  if (!isWanted) return [];
  const ids = await find(parts, query, MAX_OFFLINE, false);
  return ids.filter((id, index) => index < gap || isNamed(id, query) || isNamed(toolkitOf(id), query));
}

function namesSomethingKnown({ action, toolkit }: SearchParts, query: string): boolean {
  return action(query) !== undefined || toolkit(query.toLowerCase()) !== undefined;
}

function isNamed(name: string, query: string): boolean {
  return squeeze(name) === squeeze(query);
}

function toolkitOf(id: string): string {
  return id.slice(0, id.indexOf(ACTION_ID_SEPARATOR));
}

function cardOf({ action }: SearchParts, id: string): ActionCard | undefined {
  const record = action(id);
  return record && ActionCard.of(record);
}

/** Actions that the best few mention and that were not found themselves, as far as there is room behind the best. */
function relatedActions(parts: SearchParts, ranked: readonly ActionCard[], limit: number): RelatedAction[] {
  const best = ranked.slice(0, BEST);
  const room = Math.min(MAX_RELATED, limit - best.length);
  const related = new Map<string, RelatedAction>();
  const known = new Set(ranked.map(({ id }) => id));
  for (const { id: mentionedBy, mentions } of best) {
    for (const id of mentions) {
      if (related.size >= room) return [...related.values()];
      if (known.has(id) || related.has(id)) continue;
      const card = cardOf(parts, id);
      if (card && parts.isOnline(id) && parts.mayUse(id)) related.set(id, { card, mentionedBy });
    }
  }
  return [...related.values()];
}
