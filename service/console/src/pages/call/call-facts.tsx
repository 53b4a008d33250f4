/** The facts of a call: key, action, session, user, node, time. */
import { useQuery } from '@tanstack/react-query';
import type { InvocationDetail } from '#sdk/protocol/admin';
import { PROGRAM } from '#sdk/protocol/program-calls';
import { callPaymentQuery } from '../../api/spending';
import { ActionLink } from '../../parts/action-link';
import { Fact, FactGrid } from '../../parts/facts';
import { formatFullTime, formatMs, formatPlural } from '../../parts/format';
import { KeyLink } from '../../parts/key-link';
import { RunLink } from '../../parts/run-link';
import { SessionLink } from '../../parts/session-link';
import { ShortId } from '../../parts/short-id';
import { TraceLink } from '../../parts/trace-link';
import { UserLink } from '../../parts/user-link';
import { CallPaymentFact } from './call-payment';
import { useElapsedMs } from './use-elapsed-ms';

export function CallFacts({ call }: { call: InvocationDetail }) {
  const { action, key, session, user, node, idempotencyKey, startedAt, madeBy, trace, origin, standsFor = 1 } = call;
  const { data: payment } = useQuery(callPaymentQuery(call));
  return (
    <FactGrid>
      <Fact label="Action">
        <ActionLink id={action} />
      </Fact>
      <Fact label="Key">
        <KeyLink {...key} />
      </Fact>
      <Fact label="Duration">
        <Duration call={call} />
      </Fact>
      <Fact label="Started">
        <time dateTime={startedAt}>{formatFullTime(startedAt)}</time>
      </Fact>
      {payment && (
        <Fact label="Cost">
          <CallPaymentFact entry={payment} />
        </Fact>
      )}
      {standsFor > 1 && <Fact label="Refused in this minute">{formatPlural(standsFor, 'call')} like this one</Fact>}
      {madeBy !== undefined && (
        <Fact label="Made by">{madeBy === PROGRAM ? "A program of the model's provider" : <RunLink id={madeBy} />}</Fact>
      )}
      {origin === 'console' && <Fact label="Made in">The console, by a person: no rate or report counts it</Fact>}
      {session !== undefined && (
        <Fact label="Session">
          <SessionLink id={session} />
        </Fact>
      )}
      {user !== undefined && (
        <Fact label="User">
          <UserLink id={user} />
        </Fact>
      )}
      {trace && (
        <Fact label="Trace">
          <TraceLink {...trace} />
        </Fact>
      )}
      {node && (
        <Fact label="Node">
          <ShortId id={node} />
        </Fact>
      )}
      {idempotencyKey && (
        <Fact label="Idempotency key">
          <span className="ids">{idempotencyKey}</span>
        </Fact>
      )}
    </FactGrid>
  );
}

function Duration({ call }: { call: InvocationDetail }) {
  const elapsedMs = useElapsedMs(call);
  return <span className="numbers">{call.code === undefined ? `${formatMs(elapsedMs)} so far` : formatMs(elapsedMs)}</span>;
}
