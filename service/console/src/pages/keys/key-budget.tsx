/** The budget of an agent key, and the part of it that calls of this UTC day used. */
import { Progress, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { OwnedKey } from '#sdk/protocol/admin';
import { meQuery } from '../../api/me';
import { spendingSumsQuery } from '../../api/spending';
import { startOfDays } from '../../api/utc-days';
import { formatAmount } from '../../parts/format';
import { budgetUse, budgetWords } from './budget-use';

/** Above this percentage of the day's budget the bar warns. */
const NEARLY = 80;

export function KeyBudget({ info: { id, budget, spentToday } }: { info: OwnedKey }) {
  const { data: me } = useSuspenseQuery(meQuery);
  // The list of keys does not change with each call; these sums do.
  const { data } = useQuery({ ...spendingSumsQuery('day', { key: id, from: startOfDays(1) }), enabled: budget !== undefined });
  const spent = data?.total ?? spentToday;
  if (!budget || !spent) return budgetWords(budget, me.currency);
  const { left, chargedPercent, heldPercent } = budgetUse(budget, spent);
  const color = chargedPercent + heldPercent >= NEARLY ? 'red' : 'brand';
  const [charged, held, rest] = [spent.charged, spent.held, left].map((amount) => formatAmount(amount, me.currency));
  return (
    <Stack gap={4}>
      <span>{budgetWords(budget, me.currency)}</span>
      <Progress.Root aria-hidden>
        <Progress.Section value={chargedPercent} color={color} />
        <Progress.Section value={heldPercent} color="orange" />
      </Progress.Root>
      <Text size="sm" c="dimmed">
        Today (UTC): {charged} charged, {held} held, {rest} left
      </Text>
    </Stack>
  );
}
