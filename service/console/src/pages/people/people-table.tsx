import { Anchor, Badge, type BadgeProps, Group, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ListedPerson, Person } from '#sdk/protocol/admin';
import { type Column, DataTable } from '../../parts/data-table';
import { formatCount, formatPlural } from '../../parts/format';
import { TimeAgo } from '../../parts/time-ago';
import { PersonActions } from './person-actions';

export interface PeopleTableProps {
  people: readonly ListedPerson[];
  meId: string | undefined;
}

export function PeopleTable({ people, meId }: PeopleTableProps) {
  const columns: Column<ListedPerson>[] = [
    { title: 'Name', cell: (person) => <PersonName person={person} isMe={person.id === meId} /> },
    { title: 'Role', from: 'xs', cell: (person) => <RoleBadge person={person} /> },
    {
      title: 'Active keys',
      kind: 'number',
      from: 'xs',
      cell: (person) => <KeyCount person={person} />,
    },
    {
      title: 'Last seen',
      from: 'md',
      className: 'one-line',
      cell: ({ lastSeenAt }) => (lastSeenAt ? <TimeAgo at={lastSeenAt} /> : 'never'),
    },
    { title: 'Joined', from: 'md', className: 'one-line', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (person) => <PersonActions person={person} activeKeys={person.activeKeys} isMe={person.id === meId} />,
    },
  ];
  return (
    <Paper withBorder>
      <DataTable label="People" rows={people} rowKey={({ id }) => id} columns={columns} horizontalSpacing="md" />
    </Paper>
  );
}

function PersonName({ person, isMe }: { person: Person; isMe: boolean }) {
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={550} className="names">
          {person.name}
        </Text>
        {isMe && (
          <Badge variant="default" tt="none" fw={500}>
            you
          </Badge>
        )}
        <RoleBadge person={person} hiddenFrom="xs" />
      </Group>
      <Text size="sm" c="dimmed" className="names">
        {person.email}
      </Text>
    </>
  );
}

function KeyCount({ person }: { person: ListedPerson }) {
  const { activeKeys: active } = person;
  return (
    <Anchor
      inherit
      renderRoot={(props) => <Link to="/keys" search={{ text: person.name }} {...props} />}
      aria-label={`${formatPlural(active, 'active key')} of ${person.name}`}
    >
      {formatCount(active)}
    </Anchor>
  );
}

function RoleBadge({ person: { role }, ...props }: { person: Person } & BadgeProps) {
  return (
    <Badge variant="light" tt="none" fw={500} miw="max-content" color={role === 'owner' ? 'brand' : 'gray'} {...props}>
      {role}
    </Badge>
  );
}
