import { Anchor, Code, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Role } from '../../../../src/protocol/admin';
import { Section } from '../../parts/section';

export function NextSteps({ role }: { role: Role }) {
  return (
    <Section title="And then">
      <List spacing={6} size="sm">
        <List.Item>
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/search" {...props} />}>
            Search as a model does
          </Anchor>
          : the same results, with what the model gets beside them.
        </List.Item>
        <List.Item>
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/keys" {...props} />}>
            Scope the keys
          </Anchor>
          : which toolkits and actions, how many calls per minute, until when.
        </List.Item>
        <List.Item>
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/calls" {...props} />}>
            Watch the calls
          </Anchor>
          : each with its outcome, its time and what happened to it.
        </List.Item>
        {role === 'owner' && (
          <List.Item>
            <Anchor inherit underline="always" renderRoot={(props) => <Link to="/people" {...props} />}>
              Invite others
            </Anchor>
            : each has keys and toolkits of their own.
          </List.Item>
        )}
      </List>
      <Text size="sm" c="dimmed" mt="sm">
        A service to try things on, which keeps nothing: <Code>npx svc-sdk dev</Code>
      </Text>
    </Section>
  );
}
