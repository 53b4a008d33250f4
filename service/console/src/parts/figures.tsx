/** A row of key figures, each with its name. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface FiguresProps {
  children: ReactNode;
  label: string;
  /** Within a section, whose surface it shares. */
  isPlain?: boolean;
}

export function Figures({ children, label, isPlain = false }: FiguresProps) {
  const figures = (
    <SimpleGrid component="dl" cols={{ base: 3, md: 5 }} spacing="md" m={0}>
      {children}
    </SimpleGrid>
  );
  if (isPlain) return <section aria-label={label}>{figures}</section>;
  return (
    <Paper withBorder p="md" component="section" aria-label={label}>
      {figures}
    </Paper>
  );
}

export interface FigureProps {
  label: string;
  value: ReactNode;
  /** Small text next to the number. */
  unit?: string;
  /** The value of the equally long time before. */
  before?: string | undefined;
  alarming?: boolean;
}

export function Figure({ label, value, unit, before, alarming = false }: FigureProps) {
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
      {before !== undefined && (
        <Text component="dd" m={0} size="xs" c="dimmed" className="numbers">
          before: {before}
        </Text>
      )}
    </div>
  );
}
