/** The error for a toolkit that does not exist, or that the caller may not see: it names those that the caller may see. */
import { SvcError } from '#sdk/protocol/errors';
import { nearestIds } from './search/nearest-ids';

const MAX_NAMED = 10;

/**
 * @param id any text
 * @param others ids that the caller may see
 */
export function toolkitNotFound(id: string, others: readonly string[]): SvcError {
  const didYouMean = nearestIds(id, others);
  const message = `There is no toolkit "${id.slice(0, 100)}"; ${toolkitsText(others)}. The id of a toolkit is the part before "__" in the ids of its actions`;
  return new SvcError('TOOLKIT_NOT_FOUND', message, didYouMean.length > 0 ? { didYouMean } : {});
}

/** `this key reaches dates, weather and 3 more`. */
function toolkitsText(ids: readonly string[]): string {
  if (ids.length === 0) return 'this key reaches no toolkit yet';
  const named = ids.slice(0, MAX_NAMED).join(', ');
  return `this key reaches ${named}${ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : ''}`;
}
