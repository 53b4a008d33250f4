/** Facts with their names, on a separate surface. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function FactGrid({ children }: { children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Facts">
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="md" m={0}>
        {children}
      </SimpleGrid>
    </Paper>
  );
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} size="sm">
        {children}
      </Text>
    </div>
  );
}
