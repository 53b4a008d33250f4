/** Calls as rows, in the order given. */
import { Table } from '@mantine/core';
import type { InvocationInfo } from '../../../src/protocol/admin';
import { CallRow } from './call-row';

export function CallsTable({ calls, label }: { calls: readonly InvocationInfo[]; label: string }) {
  return (
    <Table className="calls-table" aria-label={label} verticalSpacing={7} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" className="calls-time">
            Time
          </Table.Th>
          <Table.Th scope="col" className="calls-outcome" visibleFrom="sm">
            Outcome
          </Table.Th>
          <Table.Th scope="col">Action</Table.Th>
          <Table.Th scope="col" className="calls-key" visibleFrom="sm">
            Key
          </Table.Th>
          <Table.Th scope="col" className="calls-duration" visibleFrom="sm" ta="right">
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
  );
}
