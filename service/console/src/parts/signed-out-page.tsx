/** The frame of a page for people who are not signed in. */
import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

export function SignedOutPage({ title, description, children }: { title: string; description?: ReactNode; children: ReactNode }) {
  useDocumentTitle(`${title} · svc-sdk`);
  return (
    <Box component="main" px="md" py={{ base: 'xl', sm: '12vh' }} maw="27rem" mx="auto">
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
