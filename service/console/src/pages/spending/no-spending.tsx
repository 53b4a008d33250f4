/** Shown without paid calls: explains the price of an action and the budget of a key. */
import { Anchor, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../../api/me';
import { CodeBlock } from '../../parts/code-block';
import { Section } from '../../parts/section';
import { DAY_SPANS, type DaySpan } from './spending-search';

const PRICE = `toolkit.action(
  {
    action: 'translate',
    actionDescription: 'Translates a text into another language',
    payloadDescription: { text: 'the text', into: 'language code, such as fr' },
    payment: { amount: '0.05' }, // the most that one call costs
  },
  async (ctx, { text, into }) => {
    const { translation, cost } = await translate(text, into);
    ctx.charge(cost); // such as '0.03'; without this line the whole price
    return translation;
  },
);`;

const BUDGET = 'npx svc-service keys create --kind agent --name support-bot --budget-per-call 0.10 --budget-per-day 5';

export function NoSpending({ span, mine }: { span: DaySpan; mine: 'keys' | 'toolkits' | undefined }) {
  const { data: me } = useSuspenseQuery(meQuery);
  return (
    <Section
      title={`No paid calls ${DAY_SPANS[span].label}`}
      description={
        mine === 'toolkits'
          ? 'Earnings show here when agents call actions of your toolkits that have a price.'
          : 'The cost of calls shows here when an action has a price and an agent key has a budget.'
      }
    >
      <Stack gap="md">
        <div>
          <Text size="sm" mb="xs">
            Give an action a price in its toolkit. Amounts are in {me.currency}:
          </Text>
          <CodeBlock code={PRICE} label="An action with a price" />
        </div>
        <div>
          <Text size="sm" mb="xs">
            {me.role === 'owner' ? (
              <>
                Give an agent key a budget, under{' '}
                <Anchor inherit underline="always" renderRoot={(props) => <Link to="/keys" search={{ kind: 'agent' }} {...props} />}>
                  Keys
                </Anchor>{' '}
                or where the service runs:
              </>
            ) : (
              'Ask an owner to give your agent key a budget, in the console or where the service runs:'
            )}
          </Text>
          <CodeBlock code={BUDGET} label="A key with a budget" />
        </div>
      </Stack>
    </Section>
  );
}
