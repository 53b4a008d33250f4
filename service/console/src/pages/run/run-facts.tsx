import { printable } from '#sdk/protocol/invisible-text';
import type { KeptRunDetails } from '#sdk/protocol/kept-run-schemas';
import { Fact, FactGrid } from '../../parts/facts';
import { formatAmount, formatFullTime, formatPlural } from '../../parts/format';
import { KeyLink } from '../../parts/key-link';
import { RunBadge } from '../../parts/run-badge';
import { SessionLink } from '../../parts/session-link';
import { TimeAgo } from '../../parts/time-ago';
import { UserLink } from '../../parts/user-link';

export function RunFacts({ run }: { run: KeptRunDetails }) {
  const { status, key, user, session, calls, attempt, cost, createdAt, endedAt } = run;
  return (
    <FactGrid>
      <Fact label="State">
        <RunBadge status={status} />
      </Fact>
      <Fact label="Key">
        <KeyLink {...key} name={printable(key.name)} />
      </Fact>
      <Fact label="Began">
        <TimeAgo at={createdAt} />, {formatFullTime(createdAt)}
      </Fact>
      {endedAt !== undefined && (
        <Fact label="Ended">
          <TimeAgo at={endedAt} />, {formatFullTime(endedAt)}
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
      <Fact label="Calls, searches and descriptions">{calls.toLocaleString('en')}</Fact>
      <Fact label="Cost">{cost ? formatAmount(cost.amount, cost.currency) : 'nothing'}</Fact>
      {attempt > 0 && <Fact label="Began again">{formatPlural(attempt, 'time')}; calls that ran did not run twice</Fact>}
    </FactGrid>
  );
}
