/** The actions as agents would see them, with a search and details. */
import { Accordion, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ImportedActionPreview } from '#sdk/protocol/imports';
import { toType } from '#sdk/protocol/to-type';
import { AnnotationBadges } from '../../parts/annotation-badges';
import { formatCount, formatPlural } from '../../parts/format';
import { ListSearchField } from '../../parts/search-field';
import { ParameterTable } from '../action/parameter-table';

const SHOWN = 30;

export function ActionPreviews({ actions }: { actions: readonly ImportedActionPreview[] }) {
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(SHOWN);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = actions.filter(({ action, actionDescription }) => {
    const read = `${action} ${actionDescription}`.toLowerCase();
    return words.every((word) => read.includes(word));
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <ListSearchField label="Search these actions" placeholder="Search these actions" value={text} onChange={setText} />
        <Text size="sm" c="dimmed" className="numbers" role="status">
          {found.length === actions.length
            ? formatPlural(actions.length, 'action')
            : `${formatCount(found.length)} of ${formatPlural(actions.length, 'action')}`}
        </Text>
      </Group>
      {found.length > 0 && (
        <Accordion multiple variant="contained" order={3}>
          {found.slice(0, limit).map((action) => (
            <ActionPreview key={action.action} preview={action} />
          ))}
        </Accordion>
      )}
      {found.length > limit && (
        <Group justify="center">
          <Button variant="default" onClick={() => setLimit(limit + 5 * SHOWN)}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function ActionPreview({ preview }: { preview: ImportedActionPreview }) {
  const { action, actionDescription, annotations, payloadDescription, resultDescription } = preview;
  return (
    <Accordion.Item value={action}>
      <Accordion.Control>
        <Group gap="xs" component="span">
          <Text span fw={600} size="sm" className="ids">
            {action}
          </Text>
          <AnnotationBadges annotations={annotations} />
        </Group>
        <Text span size="sm" c="dimmed" className="written" lineClamp={2} mt={2}>
          {actionDescription || 'No description'}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <Text size="sm" className="written">
            {actionDescription}
          </Text>
          <ParameterTable schema={payloadDescription} />
          <Text size="sm" component="div">
            Result:{' '}
            {resultDescription ? <Code className="written">{toType(resultDescription, { depth: 3 })}</Code> : 'the source does not say'}
          </Text>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
