/** The title of a column that sorts the table. */
import { Group, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';

export interface SortState {
  /** The current order of this column; undefined while another column sorts. */
  order: 'asc' | 'desc' | undefined;
  onSort: () => void;
}

export interface SortButtonProps extends SortState {
  title: string;
  isRight: boolean;
}

export function SortButton({ title, order, onSort, isRight }: SortButtonProps) {
  const Icon = order === undefined ? IconArrowsSort : order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <UnstyledButton onClick={onSort} fz="inherit" fw="inherit" className="sort-button">
      <Group gap={4} wrap="nowrap" justify={isRight ? 'flex-end' : 'flex-start'}>
        {title}
        <Icon size={14} aria-hidden className={order ? undefined : 'sort-hint'} />
      </Group>
    </UnstyledButton>
  );
}
