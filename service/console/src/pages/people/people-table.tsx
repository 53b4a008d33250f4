import { Anchor, Badge, type BadgeProps, Group, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OwnedKey, Person } from '#sdk/protocol/admin';
import { keyState } from '../../api/key-state';
import { type Column, DataTable } from '../../parts/data-table';
import { formatCount, formatPlural } from '../../parts/format';
import { TimeAgo } from '../../parts/time-ago';
import { PersonActions } from './person-actions';

export interface PeopleTableProps {
  people: readonly Person[];
  /** All keys; undefined while they load. */
  keys: readonly OwnedKey[] | undefined;
  meId: string | undefined;
}

export function PeopleTable({ people, keys, meId }: PeopleTableProps) {
  const activeKeys = ({ id }: Person) => keys?.filter((key) => key.owner?.id === id && keyState(key) === 'active').length;
  const columns: Column<Person>[] = [
    { title: 'Name', cell: (person) => <PersonName person={person} isMe={person.id === meId} /> },
    { title: 'Role', from: 'xs', cell: (person) => <RoleBadge person={person} /> },
    {
      title: 'Active keys',
      kind: 'number',
      from: 'xs',
      cell: (person) => <KeyCount person={person} active={activeKeys(person)} />,
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
      cell: (person) => <PersonActions person={person} activeKeys={activeKeys(person) ?? 0} isMe={person.id === meId} />,
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

function KeyCount({ person, active }: { person: Person; active: number | undefined }) {
  if (active === undefined) return '–';
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
