/** The frame of a page without navigation: one card. */
import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

export interface CardPageProps {
  title: string;
  description?: ReactNode;
  /** The card's largest width. */
  width?: string;
  children: ReactNode;
}

export function CardPage({ title, description, width = '27rem', children }: CardPageProps) {
  useDocumentTitle(`${title} · svc-sdk`);
  return (
    <Box component="main" px="md" py={{ base: 'xl', sm: '12vh' }} maw={width} mx="auto">
      <Group gap="sm" mb="xl" justify="center">
        <img src="/icon.svg" alt="" width={30} height={30} />
        <Text fw={650} size="lg">
          svc-sdk
        </Text>
      </Group>
      <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
        <Stack gap={4} mb="lg">
          <Title order={1} size="h3">
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm">
              {description}
            </Text>
          )}
        </Stack>
        {children}
      </Paper>
    </Box>
  );
}
