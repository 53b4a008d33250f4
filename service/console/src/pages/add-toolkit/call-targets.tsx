/** The addresses of the imported actions' calls, each with its credentials. */
import { List, Stack, Text } from '@mantine/core';
import type { ImportPreview } from '#sdk/protocol/imports';
import { formatPlural } from '../../parts/format';

export function CallTargets({ targets }: Pick<ImportPreview, 'targets'>) {
  if (targets.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        Where calls go
      </Text>
      <List size="sm" className="written" aria-label="Where calls go">
        {targets.map(({ address, actions, sent }) => (
          <List.Item key={address}>
            <Text span size="sm" ff="monospace">
              {address}
            </Text>
            {targets.length > 1 && `, ${formatPlural(actions, 'action')}`}
            {sent.length === 0 ? ', without a credential' : `, with ${sent.join(', ')}`}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
