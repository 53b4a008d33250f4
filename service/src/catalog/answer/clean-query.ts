/** Cleans a query: removes invisible characters, and cuts it to a length that describes any action. */
import { visibleText } from '../../payload/clean-text';

export interface Query {
  text: string;
  /** How many characters were looked at, when those were not all. */
  cutTo?: number;
}

/** A model that pastes a whole message is served by its beginning rather than refused. */
export function cleanQuery(query: string, maxChars: number): Query {
  const text = visibleText(query.slice(0, maxChars));
  return query.length > maxChars ? { text, cutTo: maxChars } : { text };
}
