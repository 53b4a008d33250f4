/** A part of a page with its heading, on a separate surface. */
import { Group, Paper, Text, Title } from '@mantine/core';

import type { ReactNode } from 'react';

export interface SectionProps {
  title: string;
  /** One sentence about the section. */
  description?: ReactNode;
  /** Shown to the right of the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, description, aside, children }: SectionProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" align="baseline" mb={description ? 4 : 'sm'} gap="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {aside}
      </Group>
      {description && (
        <Text component="div" size="sm" c="dimmed" mb="md" maw="46rem">
          {description}
        </Text>
      )}
      {children}
    </Paper>
  );
}
