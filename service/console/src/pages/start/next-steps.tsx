import { Anchor, Code, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Role } from '#sdk/protocol/admin';
import { Section } from '../../parts/section';

export function NextSteps({ role }: { role: Role }) {
  return (
    <Section title="Next steps">
      <List spacing={6} size="sm">
        <List.Item>
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/connect" {...props} />}>
            Connect a client
          </Anchor>
          : Claude, ChatGPT, Cursor or VS Code, by a sign-in and without a key.
        </List.Item>
        <List.Item>
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/search" {...props} />}>
            Search like a model
          </Anchor>
          : the same results, next to the JSON that the model receives.
        </List.Item>
        <List.Item>
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/keys" {...props} />}>
            Scope your keys
          </Anchor>
          : choose toolkits and actions, and limit calls per minute.
        </List.Item>
        <List.Item>
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/spending" {...props} />}>
            Put a price on an action
          </Anchor>
          : calls pay it from the budgets of agent keys.
        </List.Item>
        <List.Item>
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/calls" {...props} />}>
            Watch the calls
          </Anchor>
          : the outcome, the duration and the timeline of each one.
        </List.Item>
        {role === 'owner' && (
          <List.Item>
            <Anchor inherit underline="always" renderRoot={(props) => <Link to="/people" {...props} />}>
              Invite people
            </Anchor>
            : they get their own keys and toolkits.
          </List.Item>
        )}
      </List>
      <Text size="sm" c="dimmed" mt="sm">
        Just experimenting? Run a throw-away service: <Code>npx svc-service dev</Code>
      </Text>
    </Section>
  );
}
