/** The filters of the audit log, in the address of the page. */
import type { AuditFilters } from '../../api/audit';
import { isSpan } from '../../api/spans';

const NAMES = ['text', 'person', 'what', 'from', 'to'] as const;

export function auditSearch(given: Record<string, unknown>): AuditFilters {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = Number.isSafeInteger(given[name]) ? String(given[name]) : given[name];
      if (typeof value !== 'string' || value === '') return [];
      // A person may have typed the address: "yesterday" is not a time.
      const isNoTime = (name === 'from' || name === 'to') && !isSpan(value) && Number.isNaN(Date.parse(value));
      return isNoTime ? [] : [[name, value]];
    }),
  );
}
