/** Filters of a list in the address of its page, which a person may have typed. */
import { isSpan } from '../api/spans';

export function addressFilters<Name extends string>(names: readonly Name[], given: Record<string, unknown>): { [name in Name]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => {
      // The router reads `?user=4711` as a number. A larger one has lost digits.
      const value = Number.isSafeInteger(given[name]) ? String(given[name]) : given[name];
      if (typeof value !== 'string' || value === '') return [];
      // "yesterday" is not a time.
      const isNoTime = (name === 'from' || name === 'to') && !isSpan(value) && Number.isNaN(Date.parse(value));
      return isNoTime ? [] : [[name, value]];
    }),
  ) as { [name in Name]?: string };
}
