/** A table. Every table of the console uses this component. */
import { type MantineBreakpoint, Table, type TableProps, Text, VisuallyHidden } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { SortButton, type SortState } from './sort-button';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /**
   * `number`: aligned to the right, without line breaks. `amount`: the same, but a long one breaks. `actions`: buttons of a row, `choice`: its checkbox; the title of both is for screen
   * readers only.
   */
  kind?: 'number' | 'amount' | 'actions' | 'choice';
  /** The narrowest window that shows the column. Default: all. */
  from?: MantineBreakpoint;
  className?: string;
  sort?: SortState;
}

export interface DataTableProps<Row> extends Omit<TableProps, 'data' | 'children'> {
  /** Accessible name. */
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  rowClassName?: string;
  /** Keep this array the same between renders: then a row renders again only when its object changes. */
  columns: readonly Column<Row>[];
  /** Shown instead of a table without rows. */
  empty?: ReactNode;
  /** Width in pixels below which the table scrolls sideways. */
  minWidth?: number;
}

export function DataTable<Row>({ label, rows, rowKey, rowClassName, columns, empty, minWidth, ...look }: DataTableProps<Row>) {
  if (rows.length === 0 && empty !== undefined)
    return (
      <Text component="div" size="sm" c="dimmed">
        {empty}
      </Text>
    );
  const table = (
    <Table aria-label={label} verticalSpacing="sm" {...look}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <HeaderCell key={column.title} {...column} />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <MemoRow key={rowKey(row)} row={row} columns={columns} className={rowClassName} />
        ))}
      </Table.Tbody>
    </Table>
  );
  if (minWidth === undefined) return table;
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="region" aria-label={label}>
      {table}
    </Table.ScrollContainer>
  );
}

function HeaderCell<Row>(column: Column<Row>) {
  const { title, kind, sort } = column;
  const isHidden = kind === 'actions' || kind === 'choice';
  const order = sort && (sort.order === undefined ? 'none' : sort.order === 'asc' ? 'ascending' : 'descending');
  return (
    // Positioned: a hidden title would otherwise widen the page when the table is wider than its place.
    <Table.Th scope="col" pos={isHidden ? 'relative' : undefined} aria-sort={order} {...cellLook(column)}>
      {isHidden ? (
        <VisuallyHidden>{title}</VisuallyHidden>
      ) : sort ? (
        <SortButton {...sort} title={title} isRight={kind === 'number' || kind === 'amount'} />
      ) : (
        title
      )}
    </Table.Th>
  );
}

interface DataRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  className: string | undefined;
}

function DataRow<Row>({ row, columns, className }: DataRowProps<Row>) {
  return (
    <Table.Tr className={className}>
      {columns.map((column) => (
        <Table.Td key={column.title} {...cellLook(column)}>
          {column.cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

const MemoRow = memo(DataRow) as typeof DataRow;

function cellLook<Row>({ kind, from, className }: Column<Row>) {
  const classes = [kind === 'number' && 'one-line', kind === 'amount' && 'amount', className].filter(Boolean).join(' ');
  return {
    ...(kind && kind !== 'choice' && { ta: 'right' as const }),
    ...(from && { visibleFrom: from }),
    className: classes || undefined,
  };
}
