import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { InvocationInfo } from '#sdk/protocol/admin';
import { OutcomeBadge } from '../../parts/outcome-badge';
import { Section } from '../../parts/section';

export function RunCalls({ calls }: { calls: readonly InvocationInfo[] }) {
  return (
    <Section title="Calls" description="Each is a call of the key, under its rules and its budget. The newest is first.">
      {calls.length === 0 ? (
        <Text size="sm" c="dimmed">
          The program has called no action.
        </Text>
      ) : (
        <Stack component="ul" gap="sm" m={0} p={0} aria-label="Calls of the run">
          {calls.map(({ id, action, code }) => (
            <Group component="li" key={id} gap="sm">
              <Anchor
                size="sm"
                lh="24px"
                underline="always"
                className="ids"
                renderRoot={(props) => <Link to="/calls/$id" params={{ id }} {...props} />}
              >
                {action}
              </Anchor>
              <OutcomeBadge code={code} />
            </Group>
          ))}
        </Stack>
      )}
    </Section>
  );
}
