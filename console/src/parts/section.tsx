/** A part of a page under a heading of its own. */
import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface SectionProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ title, description, actions, children }: SectionProps) {
  return (
    <Box component="section">
      <Group justify="space-between" align="flex-end" mb="sm" gap="xs">
        <Box>
          <Title order={2} size="h4">
            {title}
          </Title>
          {description && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
