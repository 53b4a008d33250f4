/** The left-out parts of a source, and the findings of the linter: one line a reason, with each place on demand. */
import { Accordion, Badge, Group, List, Stack, Text } from '@mantine/core';
import type { ImportPreview } from '#sdk/protocol/imports';
import { RULE_TEXTS } from '../../parts/finding-list';
import { formatCount } from '../../parts/format';

const SHOWN = 100;

interface Fold {
  /** Part of an HTML id. */
  id: string;
  title: string;
  isError: boolean;
  lines: string[];
  count: number;
}

export function FoldedNotes({ skipped, findings }: Pick<ImportPreview, 'skipped' | 'findings'>) {
  const left = [...Map.groupBy(skipped, ({ why }) => why)].map(([why, parts], number) => ({
    id: `skipped-${number}`,
    title: `Left out: ${why}`,
    isError: false,
    lines: parts.map(({ what, part }) => (part === undefined ? what : `${what} (${part})`)),
    count: parts.length,
  }));
  const found = [...Map.groupBy(findings, ({ rule, severity }) => `${severity} ${rule}`).values()].map((ofRule) => ({
    id: `${ofRule[0]?.severity}-${ofRule[0]?.rule}`,
    title: RULE_TEXTS[ofRule[0]?.rule ?? 'vague-name'],
    isError: ofRule[0]?.severity === 'error',
    lines: ofRule.map(({ message }) => message),
    count: ofRule.length,
  }));
  const folds = [...found.filter(({ isError }) => isError), ...left, ...found.filter(({ isError }) => !isError)];
  if (folds.length === 0) return null;
  return (
    <Accordion multiple variant="contained" order={3}>
      {folds.map((fold) => (
        <FoldedNote key={fold.id} fold={fold} />
      ))}
    </Accordion>
  );
}

function FoldedNote({ fold: { id, title, isError, lines, count } }: { fold: Fold }) {
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group gap="xs" component="span" wrap="nowrap">
          <Badge variant="light" color={isError ? 'red' : 'gray'} tt="none" fw={500} flex="none" className="numbers">
            {isError ? `Error ${formatCount(count)}` : formatCount(count)}
          </Badge>
          <Text span size="sm" className="written">
            {title}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="xs">
          <List size="sm" className="written">
            {lines.slice(0, SHOWN).map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
          {lines.length > SHOWN && (
            <Text size="sm" c="dimmed">
              And {formatCount(lines.length - SHOWN)} more.
            </Text>
          )}
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
