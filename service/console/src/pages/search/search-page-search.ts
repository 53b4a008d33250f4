/**
 * The search in the address of the page.
 *
 * Shape: at most `limit` actions and `maxTokens` tokens; absent for the defaults of a model.
 */
import { DEFAULT_SEARCH_LIMIT, DEFAULT_SEARCH_TOKENS } from '#sdk/protocol/http';

export interface SearchPageSearch {
  query?: string;
  /** Id of the agent key. */
  as?: string;
  limit?: number;
  maxTokens?: number;
}

export const AMOUNTS = {
  limit: { min: 1, max: 50, usual: DEFAULT_SEARCH_LIMIT },
  maxTokens: { min: 100, max: 20_000, usual: DEFAULT_SEARCH_TOKENS },
};

export const searchPageSearch = ({ query, as, limit, maxTokens }: Record<string, unknown>): SearchPageSearch => ({
  ...(typeof query === 'string' && { query }),
  ...(typeof as === 'string' && { as }),
  ...(isUnusual('limit', limit) && { limit }),
  ...(isUnusual('maxTokens', maxTokens) && { maxTokens }),
});

function isUnusual(name: keyof typeof AMOUNTS, value: unknown): value is number {
  const { min, max, usual } = AMOUNTS[name];
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max && value !== usual;
}
