/** The choices of the page, in its address. Money is added up by UTC days, so every range begins with one. */
import type { SpendingBy } from '../../api/spending';

export const DAY_SPANS = {
  today: { label: 'today', short: 'Today', days: 1 },
  '7d': { label: 'in the last 7 days', short: '7 d', days: 7 },
  '30d': { label: 'in the last 30 days', short: '30 d', days: 30 },
  '90d': { label: 'in the last 90 days', short: '90 d', days: 90 },
  '1y': { label: 'in the last year', short: '1 y', days: 365 },
} as const;

export type DaySpan = keyof typeof DAY_SPANS;

const SORTS = ['name', 'calls', 'charged', 'held'] as const;
export type SpendingSort = (typeof SORTS)[number];

const BY: readonly SpendingBy[] = ['key', 'toolkit', 'action', 'day', 'session', 'user'];

export interface SpendingSearch {
  span?: DaySpan;
  by?: SpendingBy;
  /** Members only: what their toolkits earned. */
  show?: 'earnings';
  sort?: SpendingSort;
  order?: 'asc' | 'desc';
}

export const spendingSearch = ({ span, by, show, sort, order }: Record<string, unknown>): SpendingSearch => ({
  ...(typeof span === 'string' && Object.hasOwn(DAY_SPANS, span) && { span: span as DaySpan }),
  ...(BY.some((known) => known === by) && { by: by as SpendingBy }),
  ...(show === 'earnings' && { show }),
  ...(SORTS.some((known) => known === sort) && { sort: sort as SpendingSort }),
  ...((order === 'asc' || order === 'desc') && { order }),
});
