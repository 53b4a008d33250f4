import { SvcError } from '../protocol/errors';
import type { SearchRequest } from '../protocol/http';
import { isObject } from '../protocol/json-object';

const MAX_LIMIT = 50;

/**
 * Reads the arguments that a model wrote for `search_services`. A wrong `limit` is corrected: the model should not have to search again for it.
 *
 * @throws SvcError INVALID_REQUEST without a query
 */
export function readSearchArguments(input: unknown): SearchRequest {
  const { query, limit } = isObject(input) ? input : {};
  if (typeof query !== 'string' || query.trim() === '') {
    throw new SvcError('INVALID_REQUEST', 'search_services needs {"query": "…"}: what an action should do, in plain words');
  }
  const wanted = Math.trunc(Number(limit));
  return wanted >= 1 ? { query, limit: Math.min(wanted, MAX_LIMIT) } : { query };
}
