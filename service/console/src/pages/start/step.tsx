/** A step for newcomers: its purpose, its instructions and its progress. */
import { Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface StartStepProps {
  number: number;
  title: string;
  description: string;
  done: boolean;
  children: ReactNode;
}

export function StartStep({ number, title, description, done, children }: StartStepProps) {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-label={title}>
      <Group align="flex-start" gap="md" wrap="nowrap" mb="md">
        <ThemeIcon radius="xl" size={30} variant={done ? 'filled' : 'light'} aria-hidden>
          {done ? <IconCheck size={18} /> : number}
        </ThemeIcon>
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        </div>
      </Group>
      <Stack className="step-body">{children}</Stack>
    </Paper>
  );
}
