import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addPasskey, type Passkey, passkeysPossible, passkeysQuery, removePasskey, renamePasskey } from '../../api/passkeys';
import { ConfirmModal } from '../../parts/confirm-modal';
import { type Column, DataTable } from '../../parts/data-table';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { TimeAgo } from '../../parts/time-ago';
import { PasskeyNameModal } from './passkey-name-modal';

type Doing = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey };

export function Passkeys() {
  const passkeys = useQuery(passkeysQuery);
  const [doing, setDoing] = useState<Doing>();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  const stop = () => setDoing(undefined);
  const possible = passkeysPossible();
  return (
    <Section
      title="Passkeys"
      description="Sign in with your fingerprint, face or security key instead of the password."
      aside={
        possible && (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDoing({ what: 'add' })}>
            Add a passkey
          </Button>
        )
      }
    >
      {!possible && (
        <Text size="sm" c="dimmed" mb="sm">
          Passkeys need HTTPS (or http://localhost). Open the console there to add one.
        </Text>
      )}
      <QueryView query={passkeys} rows={1}>
        {(all) => (
          <DataTable
            label="Passkeys"
            rows={all}
            rowKey={({ id }) => id}
            columns={passkeyColumns(setDoing)}
            empty="No passkeys yet."
            horizontalSpacing="md"
            className="flush-table"
          />
        )}
      </QueryView>
      {doing?.what === 'add' && (
        <PasskeyNameModal
          title="Add a passkey"
          action="Add"
          description="A name you will recognise, such as the device it is on."
          onSave={(name) => addPasskey(name).then(refresh)}
          onClose={stop}
        />
      )}
      {doing?.what === 'rename' && (
        <PasskeyNameModal
          title="Rename passkey"
          action="Save"
          name={doing.passkey.name ?? ''}
          onSave={(name) => renamePasskey({ id: doing.passkey.id, name }).then(refresh)}
          onClose={stop}
        />
      )}
      {doing?.what === 'remove' && (
        <ConfirmModal
          title={`Remove ${nameOf(doing.passkey)}?`}
          action="Remove passkey"
          onConfirm={() => removePasskey(doing.passkey.id).then(refresh)}
          onClose={stop}
        >
          You can no longer sign in with it. Your device may still offer it until you delete it there too.
        </ConfirmModal>
      )}
    </Section>
  );
}

function passkeyColumns(onDo: (doing: Doing) => void): Column<Passkey>[] {
  return [
    { title: 'Name', className: 'names', cell: nameOf },
    { title: 'Added', from: 'xs', cell: ({ createdAt }) => createdAt && <TimeAgo at={createdAt} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (passkey) => (
        <Group gap="xs" justify="flex-end">
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => onDo({ what: 'rename', passkey })}
            aria-label={`Rename ${nameOf(passkey)}`}
          >
            Rename
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            onClick={() => onDo({ what: 'remove', passkey })}
            aria-label={`Remove ${nameOf(passkey)}`}
          >
            Remove
          </Button>
        </Group>
      ),
    },
  ];
}

function nameOf({ name }: Passkey): string {
  return name || 'Unnamed passkey';
}
