/**
 * Calls as rows, in the order given.
 *
 * Layout: depends on the width of the table, not of the window: a navigation bar beside it takes 220 px. All columns when wide; without the key's
 *         own column when medium; two columns when narrow. console.css has the widths.
 */
import { Box, Table } from '@mantine/core';
import type { InvocationInfo } from '../../../src/protocol/admin';
import { CallRow } from './call-row';

export interface CallsTableProps {
  calls: readonly InvocationInfo[];
  label: string;
  /** Keeps the column names in sight while the page scrolls. */
  stickyHeader?: boolean;
}

export function CallsTable({ calls, label, stickyHeader = false }: CallsTableProps) {
  return (
    <Box className="calls-container">
      <Table
        className="calls-table"
        aria-label={label}
        verticalSpacing={7}
        highlightOnHover
        stickyHeader={stickyHeader}
        stickyHeaderOffset="var(--app-shell-header-height)"
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className="calls-time">
              Time
            </Table.Th>
            <Table.Th scope="col" className="calls-outcome">
              Outcome
            </Table.Th>
            <Table.Th scope="col">Action</Table.Th>
            <Table.Th scope="col" className="calls-key">
              Key
            </Table.Th>
            <Table.Th scope="col" className="calls-duration" ta="right">
              Duration
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {calls.map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
