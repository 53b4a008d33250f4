import { Anchor, Badge, Code, Group, Paper, Stack, Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FoundAction } from '#sdk/protocol/http';
import { parseActionId } from '#sdk/protocol/ids';
import { AnnotationBadges } from '../../parts/annotation-badges';
import { formatCount } from '../../parts/format';
import { parametersOf } from '../../parts/parameters';
import { PriceBadge } from '../../parts/price-badge';

/** @param children shown below the facts */
export function FoundCard({ found, children }: { found: FoundAction; children?: ReactNode }) {
  const { action: id, description, annotations, payment, payloadSchema, shortened } = found;
  const toolkit = parseActionId(id)?.toolkitId;
  return (
    <Paper withBorder p="md" component="article">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs" align="baseline">
          <Anchor fw={600} className="ids" renderRoot={(props) => <Link to="/actions/$id" params={{ id }} {...props} />}>
            {id}
          </Anchor>
          {toolkit && (
            <Text size="sm" c="dimmed">
              in{' '}
              <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/toolkits/$id" params={{ id: toolkit }} {...props} />}>
                {toolkit}
              </Anchor>
            </Text>
          )}
        </Group>
        <Text size="sm" lineClamp={5} className="written">
          {description}
        </Text>
        <ParametersInShort schema={payloadSchema} />
        <Group gap={6}>
          <AnnotationBadges annotations={annotations} />
          <PriceBadge payment={payment} />
          {shortened && (
            <Tooltip label="The description or the schema is too long to include in full. Search for the exact id to see all.">
              <Badge variant="default" tt="none" fw={500}>
                shortened
              </Badge>
            </Tooltip>
          )}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

const SHOWN = 8;

function ParametersInShort({ schema }: { schema: FoundAction['payloadSchema'] }) {
  const rows = parametersOf(schema).rows.filter(({ depth }) => depth === 0);
  if (rows.length === 0) return null;
  return (
    <Group gap={6}>
      {rows.slice(0, SHOWN).map(({ path, type, required }) => (
        <Code key={path} className="ids">
          {path}
          {required ? '' : '?'}: {type}
        </Code>
      ))}
      {rows.length > SHOWN && (
        <Text size="xs" c="dimmed">
          and {formatCount(rows.length - SHOWN)} more
        </Text>
      )}
    </Group>
  );
}
