/** The price of the call that the form makes, and the key that pays it. */
import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OwnedKey } from '#sdk/protocol/admin';
import type { Payment } from '#sdk/protocol/http';
import { formatAmount } from '../../../parts/format';

/** Empty for a free action. */
export function PriceNotice({ payment, agent }: { payment: Payment | undefined; agent: OwnedKey }) {
  if (!payment) return null;
  const { id, name, budget } = agent;
  if (budget)
    return (
      <Text size="sm" className="names">
        This call costs up to {formatAmount(payment.amount, payment.currency)}, from the budget of {name}.
      </Text>
    );
  return (
    <Alert variant="light" color="gray" title={`${name} has no budget`}>
      The action costs up to {formatAmount(payment.amount, payment.currency)} a call, so the service refuses it. An owner can give{' '}
      <Anchor inherit underline="always" renderRoot={(props) => <Link to="/keys" search={{ id }} {...props} />}>
        the key
      </Anchor>{' '}
      a budget.
    </Alert>
  );
}
