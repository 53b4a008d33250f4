import { Button, Group, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addPasskey, type Passkey, passkeysPossible, passkeysQuery, removePasskey, renamePasskey } from '../../api/passkeys';
import { ConfirmModal } from '../../parts/confirm-modal';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { TimeAgo } from '../../parts/time-ago';
import { WaysColumn } from '../../parts/ways-column';
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
        {(all) =>
          all.length === 0 ? (
            <Text size="sm" c="dimmed">
              No passkeys yet.
            </Text>
          ) : (
            <PasskeyTable passkeys={all} onDo={setDoing} />
          )
        }
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

function PasskeyTable({ passkeys, onDo }: { passkeys: readonly Passkey[]; onDo: (doing: Doing) => void }) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md" className="flush-table">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Name</Table.Th>
          <Table.Th scope="col" visibleFrom="xs">
            Added
          </Table.Th>
          <WaysColumn />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {passkeys.map((passkey) => (
          <Table.Tr key={passkey.id}>
            <Table.Td className="names">{nameOf(passkey)}</Table.Td>
            <Table.Td visibleFrom="xs">{passkey.createdAt && <TimeAgo at={passkey.createdAt} />}</Table.Td>
            <Table.Td>
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
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function nameOf({ name }: Passkey): string {
  return name || 'Unnamed passkey';
}
