import { Anchor, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InvocationInfo } from '#sdk/protocol/admin';
import { AGENT_SNIPPETS } from '../../../../src/snippets/snippets';
import { lastCallQuery } from '../../api/first-steps';
import { formatMs } from '../../parts/format';
import { OutcomeBadge } from '../../parts/outcome-badge';
import { TimeAgo } from '../../parts/time-ago';
import { KeyAndSnippets, type StepKey } from './key-and-snippets';
import { LiveLine } from './live-line';
import { StartStep } from './step';
import { useExampleCall } from './use-example-call';

export interface AgentStepProps extends StepKey {
  /** Id of the toolkit of the first step, if there is one. */
  toolkit: string | undefined;
}

export function AgentStep({ toolkit, ...key }: AgentStepProps) {
  const { current } = key;
  const example = useExampleCall(toolkit);
  const { data: call } = useQuery({ ...lastCallQuery(current?.id ?? ''), enabled: current !== undefined });
  return (
    <StartStep
      number={2}
      title="Call it from an agent"
      description="An agent gets two tools: one finds actions, the other calls them."
      done={call?.code === 'OK'}
    >
      <KeyAndSnippets {...key} kind="agent" defaultName="my-agent" snippets={AGENT_SNIPPETS} example={example} />
      {current && <CallLine call={call ?? undefined} />}
    </StartStep>
  );
}

function CallLine({ call }: { call: InvocationInfo | undefined }) {
  if (!call) return <LiveLine progress="waiting">Waiting for the first call…</LiveLine>;
  return (
    <LiveLine progress={call.code === undefined ? 'waiting' : call.code === 'OK' ? 'done' : 'failed'}>
      <Group gap="xs">
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => <Link to="/calls/$id" params={{ id: call.id }} {...props} />}
          className="ids"
        >
          {call.action}
        </Anchor>
        <OutcomeBadge code={call.code} />
        {call.ms !== undefined && <span className="numbers">{formatMs(call.ms)}</span>}
        <TimeAgo at={call.startedAt} />
      </Group>
    </LiveLine>
  );
}
