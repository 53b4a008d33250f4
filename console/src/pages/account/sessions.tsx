import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endOtherSessions, endSession, type Session, sessionsQuery } from '../../api/sessions';
import { ConfirmModal } from '../../parts/confirm-modal';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { TimeAgo } from '../../parts/time-ago';
import { WaysColumn } from '../../parts/ways-column';
import { describeBrowser } from './describe-browser';

export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const [ending, setEnding] = useState<Session | 'others'>();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const others = sessions.data?.sessions.filter(({ id }) => id !== sessions.data.currentId) ?? [];
  return (
    <Section
      title="Sessions"
      description="Browsers where you are signed in."
      aside={
        others.length > 0 && (
          <Button variant="default" onClick={() => setEnding('others')}>
            Sign out all others
          </Button>
        )
      }
    >
      <QueryView query={sessions} rows={1}>
        {({ sessions: all, currentId }) => (
          <Table verticalSpacing="sm" horizontalSpacing="md" className="flush-table">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Browser</Table.Th>
                <Table.Th scope="col" visibleFrom="sm">
                  Address
                </Table.Th>
                <Table.Th scope="col" visibleFrom="sm">
                  Last seen
                </Table.Th>
                <Table.Th scope="col" visibleFrom="md">
                  Signed in
                </Table.Th>
                <WaysColumn />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {all.map((session) => (
                <Table.Tr key={session.id}>
                  <Table.Td>
                    <Group gap="xs">
                      {describeBrowser(session.userAgent)}
                      {session.id === currentId && (
                        <Badge variant="light" tt="none" fw={500}>
                          this session
                        </Badge>
                      )}
                    </Group>
                    <Text size="xs" c="dimmed" hiddenFrom="sm">
                      <LastSeen session={session} isCurrent={session.id === currentId} />
                    </Text>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">{session.ipAddress || 'unknown'}</Table.Td>
                  <Table.Td visibleFrom="sm">
                    <LastSeen session={session} isCurrent={session.id === currentId} />
                  </Table.Td>
                  <Table.Td visibleFrom="md">
                    <TimeAgo at={session.createdAt} />
                  </Table.Td>
                  <Table.Td ta="right">
                    {session.id !== currentId && (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        color="red"
                        onClick={() => setEnding(session)}
                        aria-label={`Sign out ${describeBrowser(session.userAgent)}`}
                      >
                        Sign out
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </QueryView>
      {ending && (
        <ConfirmModal
          title={ending === 'others' ? 'Sign out all other sessions?' : 'Sign out this session?'}
          action={ending === 'others' ? 'Sign out all others' : 'Sign out'}
          onConfirm={() => (ending === 'others' ? endOtherSessions() : endSession(ending)).then(refresh)}
          onClose={() => setEnding(undefined)}
        >
          {ending === 'others'
            ? 'You have to sign in again in every other browser.'
            : `You have to sign in again in ${describeBrowser(ending.userAgent)}.`}{' '}
          Your keys keep working.
        </ConfirmModal>
      )}
    </Section>
  );
}

function LastSeen({ session, isCurrent }: { session: Session; isCurrent: boolean }) {
  return isCurrent ? 'now' : <TimeAgo at={session.updatedAt} />;
}
