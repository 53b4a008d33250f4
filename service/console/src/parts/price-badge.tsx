import { Badge, Tooltip } from '@mantine/core';
import type { Payment } from '#sdk/protocol/http';
import { formatPrice } from './format';

/** The price of an action. Empty for a free action. */
export function PriceBadge({ payment }: { payment: Payment | undefined }) {
  if (!payment) return null;
  return (
    <Tooltip label="Only agent keys with a budget find the action and may use it">
      <Badge variant="light" color="indigo" tt="none" fw={500}>
        {formatPrice(payment)}
      </Badge>
    </Tooltip>
  );
}
