/** The tags of a document, to choose its actions by. */
import { Button, Chip, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ImportPreview } from '#sdk/protocol/imports';
import { formatCount } from '../../parts/format';

const SHOWN = 24;

export interface TagChipsProps {
  tags: ImportPreview['tags'];
  /** Filters of the form, such as `tag:issues`. */
  include: readonly string[];
  onChange: (include: string[]) => void;
}

export function TagChips({ tags, include, onChange }: TagChipsProps) {
  const [showsAll, setShowsAll] = useState(false);
  if (tags.length === 0) return null;
  const shown = showsAll ? tags : tags.slice(0, SHOWN);
  const toggle = (filter: string) => onChange(include.includes(filter) ? include.filter((one) => one !== filter) : [...include, filter]);
  return (
    <Stack gap="xs" role="group" aria-label="Only actions with these tags">
      <Text size="sm" fw={500}>
        Only actions with these tags
      </Text>
      <Group gap="xs">
        {shown.map(({ tag, actions }) => (
          <Chip key={tag} size="xs" checked={include.includes(`tag:${tag}`)} onChange={() => toggle(`tag:${tag}`)}>
            {tag} <span className="numbers">{formatCount(actions)}</span>
          </Chip>
        ))}
        {tags.length > shown.length && (
          <Button size="compact-xs" variant="subtle" onClick={() => setShowsAll(true)}>
            Show {formatCount(tags.length - shown.length)} more
          </Button>
        )}
      </Group>
    </Stack>
  );
}
