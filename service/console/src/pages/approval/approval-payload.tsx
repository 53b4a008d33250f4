import { Text } from '@mantine/core';
import type { ApprovalInfo } from '#sdk/protocol/approvals';
import { formatBytes, formatPlural } from '../../parts/format';
import { Section } from '../../parts/section';
import { WholeJson } from '../../parts/whole-json';

export function ApprovalPayload({ approval: { payload } }: { approval: ApprovalInfo }) {
  if (payload === undefined)
    return (
      <Section title="Payload">
        <Text size="sm" c="dimmed">
          Removed when the call ended.
        </Text>
      </Section>
    );
  const members = formatPlural(Object.keys(payload).length, 'member');
  const bytes = new TextEncoder().encode(JSON.stringify(payload)).length;
  return (
    <Section title="Payload" description={`The whole payload that runs: ${members}, ${formatBytes(bytes)}.`}>
      <WholeJson value={payload} label="Payload as JSON" />
    </Section>
  );
}
