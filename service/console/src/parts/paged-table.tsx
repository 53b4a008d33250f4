/**
 * A table whose service sorts and pages it. Order and cursor belong in the address of the page, so that links and the back button keep them.
 *
 * Shape: `nextCursor` of a page leads to the next one. The page before is known while the person pages; after a reload, the first one is.
 */
import { Button, Group, Paper, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { type Column, DataTable, type DataTableProps } from './data-table';
import { formatPlural } from './format';
import type { SortState } from './sort-button';

export type SortOrder = 'asc' | 'desc';

export interface PagedColumn<Row, Sort extends string> extends Omit<Column<Row>, 'sort'> {
  /** The order of the service that this column shows. Absent: the column does not sort. */
  sort?: Sort;
  /** The order of the first click. Default: the largest first. */
  first?: SortOrder;
}

interface Paging {
  /** Absent on the first page. */
  cursor: string | undefined;
  /** Absent on the last page. */
  nextCursor: string | undefined;
  /** Number of rows on all pages, where the service counts them. */
  total?: number | undefined;
  /** Undefined leads to the first page. */
  onPage: (cursor: string | undefined) => void;
}

export interface PagedTableProps<Row, Sort extends string> extends Omit<DataTableProps<Row>, 'columns'> {
  columns: readonly PagedColumn<Row, Sort>[];
  sort: Sort;
  order: SortOrder;
  /** The new order begins with its first page. */
  onSort: (sort: Sort, order: SortOrder) => void;
  paging: Paging;
  /** The noun of a row, such as `key`. */
  noun: string;
  /** True while the rows are those of an earlier question. */
  isFaded?: boolean;
  /** Content next to the number of rows, such as buttons for chosen rows. */
  tools?: ReactNode;
}

export function PagedTable<Row, Sort extends string>(props: PagedTableProps<Row, Sort>) {
  const { columns, sort, order, onSort, paging, noun, isFaded = false, tools, ...table } = props;
  const sortable = columns.map(({ sort: name, first = 'desc', ...column }): Column<Row> => {
    if (name === undefined) return column;
    const current = name === sort ? order : undefined;
    const next = current === undefined ? first : current === 'asc' ? 'desc' : 'asc';
    const state: SortState = { order: current, onSort: () => onSort(name, next) };
    return { ...column, sort: state };
  });
  return (
    <div className="fading" data-faded={isFaded}>
      <Paper withBorder>
        <DataTable horizontalSpacing="md" highlightOnHover {...table} columns={sortable} />
      </Paper>
      <Group justify="space-between" mt="md" gap="sm">
        <Group gap="sm">
          {paging.total !== undefined && (
            <Text size="sm" c="dimmed" className="numbers" role="status">
              {formatPlural(paging.total, noun)}
            </Text>
          )}
          {tools}
        </Group>
        <PageButtons {...paging} noun={noun} />
      </Group>
    </div>
  );
}

function PageButtons({ cursor, nextCursor, onPage, noun }: Paging & { noun: string }) {
  const before = useRef(new Map<string, string | undefined>());
  if (cursor === undefined && nextCursor === undefined) return null;
  const back = () => onPage(cursor === undefined ? undefined : before.current.get(cursor));
  const next = () => {
    if (nextCursor === undefined) return;
    before.current.set(nextCursor, cursor);
    onPage(nextCursor);
  };
  return (
    <Group gap="xs" role="navigation" aria-label={`Pages of ${noun}s`}>
      <Button
        variant="default"
        size="sm"
        disabled={cursor === undefined}
        leftSection={<IconChevronLeft size={16} aria-hidden />}
        onClick={back}
      >
        {cursor === undefined || before.current.has(cursor) ? 'Previous' : 'First page'}
      </Button>
      <Button
        variant="default"
        size="sm"
        disabled={nextCursor === undefined}
        rightSection={<IconChevronRight size={16} aria-hidden />}
        onClick={next}
      >
        Next
      </Button>
    </Group>
  );
}
