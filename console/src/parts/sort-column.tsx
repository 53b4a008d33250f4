/** The head of a column by which a table can be ordered. */
import { Group, Table, type TableThProps, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';

export interface SortColumnProps extends TableThProps {
  children: string;
  /** How the table is ordered by this column now. */
  order: 'asc' | 'desc' | undefined;
  onSort: () => void;
}

export function SortColumn({ children, order, onSort, ta, ...rest }: SortColumnProps) {
  const Icon = order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th scope="col" ta={ta} aria-sort={order === undefined ? 'none' : order === 'asc' ? 'ascending' : 'descending'} {...rest}>
      <UnstyledButton onClick={onSort} fz="inherit" fw="inherit" className="sort-button">
        <Group gap={4} wrap="nowrap" justify={ta === 'right' ? 'flex-end' : 'flex-start'}>
          {children}
          {order && <Icon size={14} aria-hidden />}
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}
