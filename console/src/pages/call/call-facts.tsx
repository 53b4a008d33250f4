/** The facts of a call: key, action, node, time. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { InvocationDetail } from '../../../../src/protocol/admin';
import { callPaymentQuery } from '../../api/spending';
import { ActionLink } from '../../parts/action-link';
import { formatFullTime, formatMs, formatPlural } from '../../parts/format';
import { KeyLink } from '../../parts/key-link';
import { ShortId } from '../../parts/short-id';
import { CallPayment } from './call-payment';
import { useElapsedMs } from './use-elapsed-ms';

export function CallFacts({ call }: { call: InvocationDetail }) {
  const { action, key, node, idempotencyKey, startedAt, standsFor = 1 } = call;
  const { data: payment } = useQuery(callPaymentQuery(call));
  return (
    <Paper withBorder p="md" component="section" aria-label="Facts">
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="md" m={0}>
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
            <CallPayment entry={payment} />
          </Fact>
        )}
        {standsFor > 1 && <Fact label="Refused in this minute">{formatPlural(standsFor, 'call')} like this one</Fact>}
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
      </SimpleGrid>
    </Paper>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} size="sm">
        {children}
      </Text>
    </div>
  );
}

function Duration({ call }: { call: InvocationDetail }) {
  const elapsedMs = useElapsedMs(call);
  return <span className="numbers">{call.code === undefined ? `${formatMs(elapsedMs)} so far` : formatMs(elapsedMs)}</span>;
}
