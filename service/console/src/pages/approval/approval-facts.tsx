/** The caller, the cost, the reason of the question, and the former calls of the action. */
import { Anchor } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ApprovalDetails } from '#sdk/protocol/approval-schemas';
import { printable } from '#sdk/protocol/invisible-text';
import { meQuery } from '../../api/me';
import { ActionLink } from '../../parts/action-link';
import { Fact, FactGrid } from '../../parts/facts';
import { formatAmount, formatFullTime, formatPlural } from '../../parts/format';
import { KeyLink } from '../../parts/key-link';
import { matchWords } from '../../parts/rule-words';
import { SessionLink } from '../../parts/session-link';
import { TimeAgo } from '../../parts/time-ago';
import { UserLink } from '../../parts/user-link';

export function ApprovalFacts({ approval }: { approval: ApprovalDetails }) {
  const { action, key, ask, user, session, payment, account, status, createdAt, expiresAt } = approval;
  return (
    <FactGrid>
      <Fact label="Action">
        <ActionLink id={action} />
      </Fact>
      <Fact label="Asked by">
        {ask.app !== undefined && 'the app '}
        <KeyLink {...key} name={printable(key.name)} />
        {ask.owner && ` of ${printable(ask.owner.name)}`}
      </Fact>
      <Fact label="Asked">
        <TimeAgo at={createdAt} />, {formatFullTime(createdAt)}
      </Fact>
      {status === 'pending' && (
        <Fact label="Ends">
          <TimeAgo at={expiresAt} />
        </Fact>
      )}
      {user !== undefined && (
        <Fact label="User">
          <UserLink id={user} />
        </Fact>
      )}
      {session !== undefined && (
        <Fact label="Conversation">
          <SessionLink id={session} />
        </Fact>
      )}
      <Fact label="Costs">{payment ? `at most ${formatAmount(payment.amount, payment.currency)}` : 'nothing'}</Fact>
      {account !== undefined && <Fact label="Acts as">{printable(account)}</Fact>}
      <Fact label="Why a person is asked">
        <Why approval={approval} />
      </Fact>
      <Fact label="Before, in 30 days">
        <History approval={approval} />
      </Fact>
    </FactGrid>
  );
}

function Why({ approval: { rule, key } }: { approval: ApprovalDetails }) {
  const { data: me } = useSuspenseQuery(meQuery);
  if (!rule) return 'No rule of the key: a default of the service by the hints of the action, or the app itself';
  return (
    <>
      Rule of the key:{' '}
      <Anchor inherit underline="always" renderRoot={(props) => <Link to="/keys" search={{ id: key.id }} {...props} />}>
        {matchWords(rule.match, me.currency).join(', ') || 'every call'}
      </Anchor>
    </>
  );
}

function History({ approval: { history, key, action } }: { approval: ApprovalDetails }) {
  const { calls, failed, lastAt } = history;
  if (calls === 0) return 'This key has not called the action';
  return (
    <>
      <Anchor inherit underline="always" renderRoot={(props) => <Link to="/calls" search={{ key: key.id, action }} {...props} />}>
        {formatPlural(calls, 'call')}
      </Anchor>{' '}
      with this key, {failed === 0 ? 'none failed' : `${formatPlural(failed, 'failure')}`}
      {lastAt !== undefined && (
        <>
          , last <TimeAgo at={lastAt} />
        </>
      )}
    </>
  );
}
