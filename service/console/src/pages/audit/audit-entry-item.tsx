/** One entry: a sentence, its time, the id of its subject, and the changes. */
import { Group, Text } from '@mantine/core';
import type { AuditEntry } from '#sdk/protocol/admin';
import { TimeAgo } from '../../parts/time-ago';
import { changesOf, sentenceOf } from './audit-words';

export function AuditEntryItem({ entry }: { entry: AuditEntry }) {
  const changes = changesOf(entry);
  return (
    <li className="audit-entry">
      <Group justify="space-between" align="baseline" gap="xs">
        <Text size="sm" fw={500} className="audit-sentence">
          {sentenceOf(entry)}
        </Text>
        <Text size="xs" c="dimmed" component="span">
          <TimeAgo at={entry.at} />
        </Text>
      </Group>
      <ul className="plain-list audit-changes">
        {entry.what !== 'settings.change' && <li className="ids">{entry.subject}</li>}
        {changes.map(({ name, from, to }) => (
          <li key={name}>
            {name}: {from !== undefined && <s>{from}</s>}
            {from !== undefined && <span> → </span>}
            <span className="audit-now">{to}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}
