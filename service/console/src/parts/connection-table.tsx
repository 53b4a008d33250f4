/** Connected accounts, each with its state and buttons to connect it again, to make it the default and to end it. */
import { Anchor, Badge, Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConnectionInfo, ConnectLinkRequest } from '#sdk/protocol/admin';
import { endConnection, makeDefaultConnection } from '../api/connections';
import { ConfirmModal } from './confirm-modal';
import { ConnectAccount } from './connect-account';
import { accountWords, connectionOwnerWords } from './connection-words';
import { type Column, DataTable } from './data-table';
import { showFailure } from './show-failure';
import { TimeAgo } from './time-ago';

export interface ConnectionTableProps {
  connections: readonly ConnectionInfo[];
  /** The column that differs between the rows: the toolkit of one's own accounts, or the owner of a toolkit's accounts. */
  by: 'toolkit' | 'owner';
  empty: string;
}

type Doing = { what: 'end' | 'again'; connection: ConnectionInfo };

export function ConnectionTable({ connections, by, empty }: ConnectionTableProps) {
  const [doing, setDoing] = useState<Doing>();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['connections'] });
  const close = () => setDoing(undefined);
  const makeDefault = async (connection: ConnectionInfo) => {
    await makeDefaultConnection(connection)
      .then(refresh)
      .catch((error: unknown) => showFailure('Could not make it the default', error));
  };
  const end = async (connection: ConnectionInfo) => {
    const { provider } = await endConnection(connection);
    if (provider === 'failed')
      showFailure(
        'The provider did not revoke the token',
        'Its stored copy is deleted. Revoke the access in the settings of the account, too.',
      );
    await refresh();
  };
  return (
    <>
      <DataTable
        label="Connected accounts"
        rows={connections}
        rowKey={({ id }) => id}
        columns={connectionColumns(by, setDoing, makeDefault)}
        empty={empty}
        horizontalSpacing="md"
        className="flush-table"
      />
      {doing?.what === 'again' && <ConnectAccount asked={againOf(doing.connection)} onClose={close} />}
      {doing?.what === 'end' && (
        <ConfirmModal
          title={`Disconnect ${accountWords(doing.connection)}?`}
          action="Disconnect"
          onConfirm={() => end(doing.connection)}
          onClose={close}
        >
          The service asks the provider to revoke its token, and deletes it. Calls of {doing.connection.toolkit} for{' '}
          {connectionOwnerWords(doing.connection.owner)} then ask for a new connection.
        </ConfirmModal>
      )}
    </>
  );
}

/** Undefined for the account of an app's user: the app makes their links. */
function againOf({ toolkit, name, owner }: ConnectionInfo): Pick<ConnectLinkRequest, 'owner'> & Partial<ConnectLinkRequest> {
  if (owner.kind === 'agent' && owner.key) return { toolkit, name, owner: 'agent', keyId: owner.key.id };
  return { toolkit, name, owner: owner.kind === 'everyone' ? 'everyone' : 'me' };
}

const mayConnectAgain = ({ owner, mine }: ConnectionInfo): boolean =>
  mine || owner.kind === 'everyone' || (owner.kind === 'agent' && owner.key !== undefined);

function connectionColumns(
  by: 'toolkit' | 'owner',
  onDo: (doing: Doing) => void,
  onDefault: (connection: ConnectionInfo) => void,
): Column<ConnectionInfo>[] {
  const toolkit: Column<ConnectionInfo> = {
    title: 'Toolkit',
    from: 'xs',
    cell: ({ toolkit: id }) => (
      <Anchor size="sm" className="ids" renderRoot={(props) => <Link to="/toolkits/$id" params={{ id }} {...props} />}>
        {id}
      </Anchor>
    ),
  };
  const owner: Column<ConnectionInfo> = {
    title: 'For',
    from: 'xs',
    className: 'names',
    cell: (connection) => connectionOwnerWords(connection.owner),
  };
  return [
    by === 'toolkit' ? toolkit : owner,
    { title: 'Account', cell: (connection) => <Account connection={connection} by={by} /> },
    {
      title: 'Scopes',
      from: 'lg',
      cell: ({ scopes = [] }) => (
        <Text size="xs" c="dimmed" className="names">
          {scopes.join(' ') || '–'}
        </Text>
      ),
    },
    { title: 'Connected', from: 'md', className: 'one-line', cell: ({ connectedAt }) => <TimeAgo at={connectedAt} /> },
    { title: 'Last used', from: 'sm', className: 'one-line', cell: (connection) => <LastUse connection={connection} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (connection) => <Actions connection={connection} onDo={onDo} onDefault={onDefault} />,
    },
  ];
}

function Account({ connection, by }: { connection: ConnectionInfo; by: 'toolkit' | 'owner' }) {
  const { toolkit, owner, account, name, status, fault } = connection;
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={600} className="names">
          {accountWords(connection)}
        </Text>
        {status === 'ended' && (
          <Badge color="red" variant="light" tt="none" fw={500}>
            connect again
          </Badge>
        )}
        {connection.default && (
          <Badge variant="default" tt="none" fw={500}>
            default
          </Badge>
        )}
      </Group>
      {account !== undefined && (
        <Text size="xs" c="dimmed" className="names">
          {name}
        </Text>
      )}
      <Text size="xs" hiddenFrom="xs" className="names">
        {by === 'toolkit' ? toolkit : connectionOwnerWords(owner)}
      </Text>
      {fault && (
        <Text size="xs" c="var(--text-alarming)" className="written">
          <TimeAgo at={fault.at} />: {fault.message}
        </Text>
      )}
      <Text size="xs" c="dimmed" hiddenFrom="sm" mt={4}>
        last used <LastUse connection={connection} />
      </Text>
    </>
  );
}

const LastUse = ({ connection: { lastUsedAt } }: { connection: ConnectionInfo }) => (lastUsedAt ? <TimeAgo at={lastUsedAt} /> : 'never');

interface ActionsProps {
  connection: ConnectionInfo;
  onDo: (doing: Doing) => void;
  onDefault: (connection: ConnectionInfo) => void;
}

function Actions({ connection, onDo, onDefault }: ActionsProps) {
  const title = `${accountWords(connection)} of ${connection.toolkit}`;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="subtle" rightSection={<IconChevronDown size={14} aria-hidden />} aria-label={`Change ${title}`}>
          Change
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {mayConnectAgain(connection) && <Menu.Item onClick={() => onDo({ what: 'again', connection })}>Connect again</Menu.Item>}
        {!connection.default && <Menu.Item onClick={() => onDefault(connection)}>Make it the default</Menu.Item>}
        <Menu.Item color="red" onClick={() => onDo({ what: 'end', connection })}>
          Disconnect
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
