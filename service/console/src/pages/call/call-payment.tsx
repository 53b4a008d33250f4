/** The cost of a paid call, in the facts of its page. */
import { Text } from '@mantine/core';
import type { LedgerItem } from '#sdk/protocol/admin';
import { formatAmount } from '../../parts/format';

const MEANINGS: Record<LedgerItem['state'], string> = {
  charged: 'charged',
  held: 'held until the outcome is known, for 24 hours at most',
  released: 'released: the call costs nothing',
};

export function CallPaymentFact({ entry: { state, charged, authorised, currency } }: { entry: LedgerItem }) {
  const most = formatAmount(authorised, currency);
  return (
    <>
      <span className="numbers">{state === 'charged' ? formatAmount(charged ?? authorised, currency) : most}</span> {MEANINGS[state]}
      {state === 'charged' && charged !== authorised && (
        <Text span size="sm" c="dimmed">
          {' '}
          of at most {most}
        </Text>
      )}
    </>
  );
}
