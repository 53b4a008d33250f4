/** A part of a page with its heading, made of cards with separate surfaces. */
import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface RegionProps {
  title: string;
  description?: ReactNode;
  /** Shown to the right of the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Region({ title, description, aside, children }: RegionProps) {
  return (
    <Box component="section">
      <Group justify="space-between" align="flex-end" mb="sm" gap="xs">
        <Box>
          <Title order={2} size="h5">
            {title}
          </Title>
          {description && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </Box>
        {aside}
      </Group>
      {children}
    </Box>
  );
}
