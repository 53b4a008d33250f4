/** Connected apps, each with its limits, its rules, and a button that disconnects it. */
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConnectedApp } from '#sdk/protocol/admin';
import { disconnectApp } from '../api/connected-apps';
import { meQuery } from '../api/me';
import { scopeWords } from '../pages/keys/key-scope';
import { appPlace, appTitle } from './app-words';
import { ConfirmModal } from './confirm-modal';
import { type Column, DataTable } from './data-table';
import { formatAmount, formatCount, formatPlural } from './format';
import { TimeAgo } from './time-ago';

export interface ConnectedAppTableProps {
  apps: readonly ConnectedApp[];
  withOwner?: boolean;
}

export function ConnectedAppTable({ apps, withOwner = false }: ConnectedAppTableProps) {
  const [ending, setEnding] = useState<ConnectedApp>();
  const queryClient = useQueryClient();
  const end = async ({ id }: ConnectedApp) => {
    await disconnectApp(id);
    await queryClient.invalidateQueries({ queryKey: ['keys'] });
  };
  return (
    <>
      <DataTable
        label="Connected apps"
        rows={apps}
        rowKey={({ id }) => id}
        columns={appColumns(withOwner, setEnding)}
        empty="No connected apps."
        horizontalSpacing="md"
        className="flush-table"
      />
      {ending && (
        <ConfirmModal
          title={`Disconnect ${appTitle(ending.client)}?`}
          action="Disconnect"
          onConfirm={() => end(ending)}
          onClose={() => setEnding(undefined)}
        >
          {formatPlural(ending.signIns, 'sign-in ends', 'sign-ins end')}, and the key {ending.name} is revoked: within a second the app can
          neither search nor call. Its calls stay in the list. To use it again, sign in from the app.
        </ConfirmModal>
      )}
    </>
  );
}

function appColumns(withOwner: boolean, onEnd: (app: ConnectedApp) => void): Column<ConnectedApp>[] {
  const owner: Column<ConnectedApp> = { title: 'Person', from: 'xs', className: 'names', cell: (app) => app.owner?.name };
  return [
    { title: 'App', cell: (app) => <AppCell app={app} owner={withOwner ? app.owner?.name : undefined} /> },
    ...(withOwner ? [owner] : []),
    {
      title: 'Limits',
      from: 'md',
      cell: (app) => (
        <Text size="sm" className="names">
          <Limits app={app} />
        </Text>
      ),
    },
    { title: 'Sign-ins', kind: 'number', from: 'lg', cell: ({ signIns }) => formatCount(signIns) },
    { title: 'Connected', from: 'lg', className: 'one-line', cell: ({ connectedAt }) => <TimeAgo at={connectedAt} /> },
    { title: 'Last used', from: 'sm', className: 'one-line', cell: (app) => <LastUse app={app} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (app) => <Actions app={app} onEnd={onEnd} />,
    },
  ];
}

function Actions({ app, onEnd }: { app: ConnectedApp; onEnd: (app: ConnectedApp) => void }) {
  const { id, client, owner } = app;
  const title = `${appTitle(client)}${owner ? ` of ${owner.name}` : ''}`;
  return (
    <Group gap={4} justify="flex-end">
      <Button
        size="compact-sm"
        variant="subtle"
        renderRoot={(props) => <Link to="/keys" search={{ id, form: 'rules' }} {...props} />}
        aria-label={`Rules of ${title}`}
      >
        Rules
      </Button>
      <Button size="compact-sm" variant="subtle" color="red" onClick={() => onEnd(app)} aria-label={`Disconnect ${title}`}>
        Disconnect
      </Button>
    </Group>
  );
}

function AppCell({ app, owner }: { app: ConnectedApp; owner: string | undefined }) {
  const { id, client } = app;
  return (
    <>
      <Anchor
        renderRoot={(props) => <Link to="/keys" search={{ id }} {...props} />}
        size="sm"
        fw={600}
        c="var(--mantine-color-text)"
        className="names"
      >
        {client.name === client.host ? appPlace(client.host) : client.name}
      </Anchor>
      {client.name !== client.host && (
        <Text size="xs" c="dimmed" className="names">
          {appPlace(client.host)}
        </Text>
      )}
      {owner !== undefined && (
        <Text size="xs" hiddenFrom="xs" className="names">
          for {owner}
        </Text>
      )}
      <Text size="xs" c="dimmed" hiddenFrom="sm" mt={4}>
        last used <LastUse app={app} />
      </Text>
    </>
  );
}

const LastUse = ({ app: { lastUsedAt } }: { app: ConnectedApp }) => (lastUsedAt ? <TimeAgo at={lastUsedAt} /> : 'never');

function Limits({ app: { allow, rules, callsPerMinute, budget } }: { app: ConnectedApp }) {
  const { data: me } = useSuspenseQuery(meQuery);
  return [
    scopeWords({ kind: 'agent', ...(allow && { allow }), ...(rules && { rules }) }),
    callsPerMinute !== undefined && `${formatPlural(callsPerMinute, 'call')} a minute`,
    budget && `${formatAmount(budget.perDay, me.currency)} a day`,
  ]
    .filter(Boolean)
    .join(', ');
}
