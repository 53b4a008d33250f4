import { Anchor, Badge, Group, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OwnedKey, Person } from '../../../../src/protocol/admin';
import { keyState } from '../../api/key-state';
import { formatCount, formatPlural } from '../../parts/format';
import { TimeAgo } from '../../parts/time-ago';
import { WaysColumn } from '../../parts/ways-column';
import { PersonActions } from './person-actions';

export interface PeopleTableProps {
  people: readonly Person[];
  /** All keys; undefined while they are not known. */
  keys: readonly OwnedKey[] | undefined;
  meId: string | undefined;
}

export function PeopleTable({ people, keys, meId }: PeopleTableProps) {
  return (
    <Paper withBorder>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Name</Table.Th>
            <Table.Th scope="col" visibleFrom="xs">
              Role
            </Table.Th>
            <Table.Th scope="col" visibleFrom="xs" ta="right" className="one-line">
              Active keys
            </Table.Th>
            <Table.Th scope="col" visibleFrom="md">
              Last seen
            </Table.Th>
            <Table.Th scope="col" visibleFrom="md">
              Joined
            </Table.Th>
            <WaysColumn />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((person) => {
            const own = keys?.filter((key) => key.owner?.id === person.id && keyState(key) === 'active').length;
            return (
              <Table.Tr key={person.id}>
                <Table.Td>
                  <Group gap="xs">
                    <Text size="sm" fw={550} className="names">
                      {person.name}
                    </Text>
                    {person.id === meId && (
                      <Badge variant="default" tt="none" fw={500}>
                        you
                      </Badge>
                    )}
                    <Badge variant="light" tt="none" fw={500} miw="max-content" hiddenFrom="xs" color={roleColor(person)}>
                      {person.role}
                    </Badge>
                  </Group>
                  <Text size="sm" c="dimmed" className="names">
                    {person.email}
                  </Text>
                </Table.Td>
                <Table.Td visibleFrom="xs">
                  <Badge variant="light" tt="none" fw={500} miw="max-content" color={roleColor(person)}>
                    {person.role}
                  </Badge>
                </Table.Td>
                <Table.Td visibleFrom="xs" ta="right">
                  {own === undefined ? (
                    '–'
                  ) : (
                    <Anchor
                      inherit
                      renderRoot={(props) => <Link to="/keys" search={{ text: person.name }} {...props} />}
                      aria-label={`${formatPlural(own, 'active key')} of ${person.name}`}
                    >
                      {formatCount(own)}
                    </Anchor>
                  )}
                </Table.Td>
                <Table.Td visibleFrom="md" className="one-line">
                  {person.lastSeenAt ? <TimeAgo at={person.lastSeenAt} /> : 'never'}
                </Table.Td>
                <Table.Td visibleFrom="md" className="one-line">
                  <TimeAgo at={person.createdAt} />
                </Table.Td>
                <Table.Td>
                  <PersonActions person={person} activeKeys={own ?? 0} isMe={person.id === meId} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function roleColor({ role }: Person): string {
  return role === 'owner' ? 'brand' : 'gray';
}
