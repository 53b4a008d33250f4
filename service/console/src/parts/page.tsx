/** The frame of a page: title, one sentence about its purpose, and its actions. */
import { Box, Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

export interface PageProps {
  title: string;
  /** The title of the browser's tab, where another page of this kind has the same title. */
  tabTitle?: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, tabTitle = title, description, actions, children }: PageProps) {
  useDocumentTitle(`${tabTitle} · svc-sdk`);
  return (
    <Box maw="var(--page-width)" mx="auto">
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
        <Box className="names" miw={0}>
          <Title order={1} size="h2">
            {title}
          </Title>
          {description && (
            <Text component="div" c="dimmed" mt={4} maw="46rem">
              {description}
            </Text>
          )}
        </Box>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
