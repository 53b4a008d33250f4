/** The filters of the audit log, in the address of the page. */
import type { AuditFilters } from '../../api/audit';
import { addressFilters } from '../../parts/address-filters';

const NAMES = ['text', 'person', 'what', 'from', 'to'] as const;

export function auditSearch(given: Record<string, unknown>): AuditFilters {
  return addressFilters(NAMES, given);
}
