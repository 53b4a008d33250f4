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
      description="Browsers in which you are signed in."
      aside={
        others.length > 0 && (
          <Button variant="default" onClick={() => setEnding('others')}>
            End all others
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
                          this one
                        </Badge>
                      )}
                    </Group>
                    <Text size="xs" c="dimmed" hiddenFrom="sm">
                      <TimeAgo at={session.updatedAt} />
                    </Text>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">{session.ipAddress || 'unknown'}</Table.Td>
                  <Table.Td visibleFrom="sm">
                    <TimeAgo at={session.updatedAt} />
                  </Table.Td>
                  <Table.Td visibleFrom="md">
                    <TimeAgo at={session.createdAt} />
                  </Table.Td>
                  <Table.Td ta="right">
                    {session.id !== currentId && (
                      <Button size="compact-sm" variant="subtle" color="red" onClick={() => setEnding(session)}>
                        End
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
          title={ending === 'others' ? 'End all other sessions?' : 'End the session?'}
          action={ending === 'others' ? 'End all others' : 'End the session'}
          onConfirm={() => (ending === 'others' ? endOtherSessions() : endSession(ending)).then(refresh)}
          onClose={() => setEnding(undefined)}
        >
          {ending === 'others'
            ? 'Every other browser in which you are signed in has to sign in again.'
            : `${describeBrowser(ending.userAgent)} has to sign in again.`}{' '}
          Keys go on working.
        </ConfirmModal>
      )}
    </Section>
  );
}
