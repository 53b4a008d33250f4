import { Table, Text } from '@mantine/core';
import type { ReplicaReport } from '../../../../src/protocol/admin';
import { formatCount } from '../../parts/format';
import { ShortId } from '../../parts/short-id';
import { TimeAgo } from '../../parts/time-ago';

export function ProcessTable({ processes }: { processes: readonly ReplicaReport[] }) {
  if (processes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No process is connected. Agents cannot find its actions until one connects.
      </Text>
    );
  return (
    <Table.ScrollContainer minWidth={640} type="native">
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Instance</Table.Th>
            <Table.Th scope="col">SDK</Table.Th>
            <Table.Th scope="col">Node</Table.Th>
            <Table.Th scope="col">Connected</Table.Th>
            <Table.Th scope="col" ta="right">
              Running
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {processes.map(({ instance, sdk, node, connectedAt, running, concurrency }) => (
            <Table.Tr key={`${node} ${instance}`}>
              <Table.Td>
                <ShortId id={instance} />
              </Table.Td>
              <Table.Td className="written">{sdk}</Table.Td>
              <Table.Td>
                <ShortId id={node} />
              </Table.Td>
              <Table.Td>
                <TimeAgo at={connectedAt} />
              </Table.Td>
              <Table.Td ta="right">
                {formatCount(running)} of {formatCount(concurrency)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
