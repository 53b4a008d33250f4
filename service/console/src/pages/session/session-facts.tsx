/** The sums of a session, as the service added them up, and its tokens by model. */
import { Stack, Text } from '@mantine/core';
import type { SessionPage } from '#sdk/protocol/admin';
import { Fact, FactGrid } from '../../parts/facts';
import { Figure, Figures } from '../../parts/figures';
import { formatAmount, formatCount, formatFullTime, formatMs, formatPlural, formatTokens } from '../../parts/format';
import { KeyLink } from '../../parts/key-link';
import { ModelTokenTable } from '../../parts/model-token-table';
import { Section } from '../../parts/section';
import { UserLink } from '../../parts/user-link';
import { sessionTotal } from './session-total';

export function SessionFacts({ page: { sums, models, currency, entries } }: { page: SessionPage }) {
  const users = [...new Set([...sums.flatMap(({ user }) => user ?? []), ...entries.flatMap(userOf)])];
  const sum = sessionTotal(sums);
  if (!sum) return null;
  const { searches, inVain, calls, errors, cost, tokens, firstAt, lastAt } = sum;
  return (
    <Stack gap="md">
      <Figures label="Sums">
        <Figure label="Searches" value={formatCount(searches)} {...(inVain > 0 && { unit: `${formatCount(inVain)} in vain` })} />
        <Figure
          label="Calls"
          value={formatCount(calls)}
          alarming={errors > 0}
          {...(errors > 0 && { unit: formatPlural(errors, 'error') })}
        />
        <Figure label="Cost" value={formatAmount(cost)} unit={currency} />
        <Figure label="Tokens" value={formatTokens(tokens)} />
        <Figure label="Duration" value={formatMs(lastAt - firstAt)} />
      </Figures>
      <FactGrid>
        <Fact label={sums.length === 1 ? 'Key' : 'Keys'}>
          {sums.map(({ key }) => (
            <KeyLink key={key.id} {...key} display="block" />
          ))}
        </Fact>
        {users.length > 0 && (
          <Fact label={users.length === 1 ? 'User' : 'Users'}>
            {users.map((user) => (
              <UserLink key={user} id={user} display="block" />
            ))}
          </Fact>
        )}
        <Fact label="Started">
          <time dateTime={new Date(firstAt).toISOString()}>{formatFullTime(firstAt)}</time>
        </Fact>
      </FactGrid>
      {models.length > 0 && (
        <Section title="Tokens by model" description={<Text inherit>As the agent reported them.</Text>}>
          <ModelTokenTable models={models} />
        </Section>
      )}
    </Stack>
  );
}

const userOf = (entry: SessionPage['entries'][number]): string[] => {
  const user = entry.kind === 'call' ? entry.call.user : entry.user;
  return user === undefined ? [] : [user];
};
