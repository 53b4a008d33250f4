/** The outcome of a call in words, and a link to the page for the next step. */
import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { InvocationDetail } from '#sdk/protocol/admin';
import { parseActionId } from '#sdk/protocol/ids';
import { CancelCall } from '../../parts/cancel-call';
import { OutcomeBadge } from '../../parts/outcome-badge';
import { type OutcomeWords, outcomeWords } from './outcome-words';
import { TryAgain } from './try-again';

export function CallOutcome({ call }: { call: InvocationDetail }) {
  const { title, advice, place } = outcomeWords(call.code);
  return (
    <Paper withBorder p="md" component="section" aria-label="Outcome">
      <Group justify="space-between" gap="sm" align="flex-start">
        <div aria-live="polite">
          <Group gap="sm" mb={4}>
            <OutcomeBadge code={call.code} />
            <Title order={2} size="h5">
              {title}
            </Title>
          </Group>
          <Text size="sm" c="dimmed" maw="44rem">
            {advice} {place && <Place place={place} action={call.action} />}
          </Text>
          <OwnError call={call} />
        </div>
        <Group gap="xs">
          <CancelCall call={call} />
          <TryAgain call={call} />
        </Group>
      </Group>
    </Paper>
  );
}

/** The code and the message that the toolkit gave its error. */
function OwnError({ call: { toolkitCode, message } }: { call: InvocationDetail }) {
  if (toolkitCode === undefined) return null;
  return (
    <Text size="sm" mt="xs" maw="44rem" className="written" dir="auto">
      <Anchor inherit c="inherit" className="ids" fw={600} renderRoot={(props) => <Link to="/calls" search={{ toolkitCode }} {...props} />}>
        {toolkitCode}
      </Anchor>
      {message !== undefined && `: ${message}`}
    </Text>
  );
}

function Place({ place, action }: { place: NonNullable<OutcomeWords['place']>; action: string }) {
  if (place === 'search')
    return (
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/search" search={{ query: action }} {...props} />}>
        Search actions
      </Anchor>
    );
  if (place === 'keys')
    return (
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/keys" {...props} />}>
        Open keys
      </Anchor>
    );
  if (place === 'approvals')
    return (
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/approvals" search={{ show: 'all' }} {...props} />}>
        Open approvals
      </Anchor>
    );
  if (place === 'action')
    return (
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/actions/$id" params={{ id: action }} {...props} />}>
        Open action
      </Anchor>
    );
  const toolkit = parseActionId(action)?.toolkitId;
  if (toolkit === undefined) return null;
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/toolkits/$id" params={{ id: toolkit }} {...props} />}>
      Open toolkit
    </Anchor>
  );
}
