/** What the linter says: what is weak in a text, and what to write instead. */
import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import type { LintFinding } from '../../../src/protocol/lint';

export function FindingList({ findings }: { findings: readonly LintFinding[] }) {
  return (
    <Stack gap="xs">
      {findings.map((finding) => (
        <Paper key={`${finding.rule} ${finding.message}`} withBorder p="sm">
          <Group gap="xs" mb={4}>
            <Badge variant="light" color={finding.severity === 'error' ? 'red' : 'gray'} tt="none">
              {finding.severity}
            </Badge>
            <Text size="xs" c="dimmed" className="ids">
              {finding.rule}
            </Text>
          </Group>
          <Text size="sm" className="written">
            {finding.message}
          </Text>
          <Text size="sm" c="dimmed" mt={4} className="written">
            {finding.hint}
          </Text>
        </Paper>
      ))}
    </Stack>
  );
}
