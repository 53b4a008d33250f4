import { List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../parts/section';

export interface ClientCardProps {
  client: string;
  /** Buttons or a command. */
  children: ReactNode;
  /** The person's steps after it, and what they see. */
  steps: readonly ReactNode[];
  /** A condition that the client has. */
  note?: ReactNode;
}

export function ClientCard({ client, children, steps, note }: ClientCardProps) {
  return (
    <Section title={client}>
      <Stack gap="sm">
        {children}
        <List type="ordered" size="sm" spacing={4}>
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps keep their order
            <List.Item key={index}>{step}</List.Item>
          ))}
        </List>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
      </Stack>
    </Section>
  );
}
