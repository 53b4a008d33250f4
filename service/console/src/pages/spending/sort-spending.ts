import type { Spending } from '#sdk/protocol/admin';
import { millionthsOf } from '#sdk/protocol/amount';
import type { SpendingSort } from './spending-search';

export type SpendingItem = Spending['items'][number];

type Comparable = string | number | bigint;

const VALUES: Record<SpendingSort, (item: SpendingItem) => Comparable> = {
  name: ({ id, name }) => (name ?? id).toLowerCase(),
  calls: ({ calls }) => calls,
  charged: ({ charged }) => millionthsOf(charged),
  held: ({ held }) => millionthsOf(held),
};

/** Equal values keep the order of the service, which has the highest charge first. */
export function sortSpending(items: readonly SpendingItem[], sort: SpendingSort, order: 'asc' | 'desc'): SpendingItem[] {
  const value = VALUES[sort];
  const sign = order === 'asc' ? 1 : -1;
  return [...items].sort((a, b) => {
    const [first, second] = [value(a), value(b)];
    return first === second ? 0 : sign * (first < second ? -1 : 1);
  });
}
