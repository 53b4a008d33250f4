/**
 * Calls as rows, in the order given.
 *
 * Layout: depends on the width of the table, not of the window: a navigation bar beside it takes 220 px. A wide table shows all columns, a medium
 *         one all but the key, a narrow one two. console.css has the widths.
 */
import { Box } from '@mantine/core';
import type { InvocationInfo } from '#sdk/protocol/admin';
import { CALL_COLUMNS } from './call-columns';
import { DataTable } from './data-table';

export interface CallsTableProps {
  calls: readonly InvocationInfo[];
  label: string;
  /** Keeps the column names visible while the page scrolls. */
  stickyHeader?: boolean;
}

export function CallsTable({ calls, label, stickyHeader = false }: CallsTableProps) {
  return (
    <Box className="calls-container">
      <DataTable
        label={label}
        rows={calls}
        rowKey={({ id }) => id}
        rowClassName="call-row"
        columns={CALL_COLUMNS}
        className="calls-table"
        verticalSpacing={7}
        highlightOnHover
        stickyHeader={stickyHeader}
        stickyHeaderOffset="var(--app-shell-header-height)"
      />
    </Box>
  );
}
