/** A row of key figures, each with its name. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function Figures({ children, label }: { children: ReactNode; label: string }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={label}>
      <SimpleGrid component="dl" cols={{ base: 3, md: 5 }} spacing="md" m={0}>
        {children}
      </SimpleGrid>
    </Paper>
  );
}

export interface FigureProps {
  label: string;
  value: ReactNode;
  /** Small text next to the number. */
  unit?: string;
  alarming?: boolean;
}

export function Figure({ label, value, unit, alarming = false }: FigureProps) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} size="xl" fw={600} className="numbers" {...(alarming && { c: 'var(--text-alarming)' })}>
        {value}
        {unit && (
          <>
            {' '}
            <Text span size="sm" c="dimmed" fw={400} className="unit">
              {unit}
            </Text>
          </>
        )}
      </Text>
    </div>
  );
}
