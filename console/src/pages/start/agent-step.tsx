import { Anchor, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InvocationInfo } from '../../../../src/protocol/admin';
import type { CreatedKey, KeyInfo } from '../../../../src/protocol/http';
import { lastCallQuery } from '../../api/first-steps';
import { formatMs } from '../../parts/format';
import { OutcomeBadge } from '../../parts/outcome-badge';
import { TimeAgo } from '../../parts/time-ago';
import { KeyAndSnippets } from './key-and-snippets';
import { LiveLine } from './live-line';
import { AGENT_SNIPPETS } from './snippets';
import { Step } from './step';
import { useExampleCall } from './use-example-call';

export interface AgentStepProps {
  url: string;
  made: CreatedKey | undefined;
  existing: KeyInfo | undefined;
  /** Id of the toolkit of the first step, if there is one. */
  toolkit: string | undefined;
  onMade: (made: CreatedKey) => void;
}

export function AgentStep({ url, made, existing, toolkit, onMade }: AgentStepProps) {
  const example = useExampleCall(toolkit);
  const { data: call } = useQuery({ ...lastCallQuery(existing?.id ?? ''), enabled: existing !== undefined });
  return (
    <Step
      number={2}
      title="Call it"
      description="An agent is a program around a model. It gets two tools, one that finds actions and one that calls them."
      done={call?.code !== undefined}
    >
      <KeyAndSnippets
        kind="agent"
        url={url}
        made={made}
        existing={existing}
        defaultName="my-agent"
        snippets={AGENT_SNIPPETS}
        example={example}
        onMade={onMade}
      />
      {existing && <CallLine call={call ?? undefined} />}
    </Step>
  );
}

function CallLine({ call }: { call: InvocationInfo | undefined }) {
  if (!call) return <LiveLine done={false}>Waiting for the first call…</LiveLine>;
  return (
    <LiveLine done={call.code !== undefined}>
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
