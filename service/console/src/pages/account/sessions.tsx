import { Badge, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endOtherSessions, endSession, ownSessionsQuery, type Session } from '../../api/sessions';
import { ConfirmModal } from '../../parts/confirm-modal';
import { type Column, DataTable } from '../../parts/data-table';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { TimeAgo } from '../../parts/time-ago';
import { describeBrowser } from './describe-browser';

export function AccountSessions() {
  const sessions = useQuery(ownSessionsQuery);
  const [ending, setEnding] = useState<Session | 'others'>();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ownSessionsQuery.queryKey });
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
          <DataTable
            label="Sessions"
            rows={all}
            rowKey={({ id }) => id}
            columns={sessionColumns(currentId, setEnding)}
            horizontalSpacing="md"
            className="flush-table"
          />
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

function sessionColumns(currentId: string | undefined, onEnd: (session: Session) => void): Column<Session>[] {
  return [
    {
      title: 'Browser',
      cell: (session) => (
        <>
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
        </>
      ),
    },
    { title: 'Address', from: 'sm', cell: ({ ipAddress }) => ipAddress || 'unknown' },
    { title: 'Last seen', from: 'sm', cell: (session) => <LastSeen session={session} isCurrent={session.id === currentId} /> },
    { title: 'Signed in', from: 'md', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (session) =>
        session.id !== currentId && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            onClick={() => onEnd(session)}
            aria-label={`Sign out ${describeBrowser(session.userAgent)}`}
          >
            Sign out
          </Button>
        ),
    },
  ];
}

function LastSeen({ session, isCurrent }: { session: Session; isCurrent: boolean }) {
  return isCurrent ? 'now' : <TimeAgo at={session.updatedAt} />;
}
