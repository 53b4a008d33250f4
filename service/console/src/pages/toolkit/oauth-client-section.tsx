/** The toolkit's OAuth client at the provider: its id, its secret, which no page shows, and the address to register there. */
import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConnectionClient } from '#sdk/protocol/admin';
import { connectionClientQuery, removeConnectionClient, setConnectionClient } from '../../api/connections';
import { ConfirmModal } from '../../parts/confirm-modal';
import { CopyLine } from '../../parts/copy-line';
import { QueryView } from '../../parts/query-view';
import { SaveOrCancel } from '../../parts/save-or-cancel';
import { TimeAgo } from '../../parts/time-ago';

export interface OAuthClientProps {
  /** Id of the toolkit. */
  id: string;
  /** The service can register itself at the provider. */
  isOptional: boolean;
}

export function OAuthClientSection({ id, isOptional }: OAuthClientProps) {
  const query = useQuery(connectionClientQuery(id));
  return (
    <QueryView query={query} rows={1}>
      {(client) => <Client id={id} client={client} isOptional={isOptional} />}
    </QueryView>
  );
}

function Client({ id, client, isOptional }: OAuthClientProps & { client: ConnectionClient }) {
  const [editing, { open, close }] = useDisclosure();
  const [removing, asking] = useDisclosure();
  const queryClient = useQueryClient();
  const remove = async () => {
    await removeConnectionClient(id);
    await queryClient.invalidateQueries({ queryKey: ['connections'] });
  };
  const { clientId, otherEndpoints, callbackUrl } = client;
  return (
    <Stack gap="sm">
      {callbackUrl === undefined ? (
        <Text size="sm">The service does not know its own address, so no account can be connected: start it with --public-url.</Text>
      ) : (
        <CopyLine label="Callback URL to register at the provider" value={callbackUrl} />
      )}
      {otherEndpoints && (
        <Alert color="orange" variant="light" title="The toolkit names other endpoints now" icon={<IconAlertTriangle size={18} />}>
          No account can be connected until you set the client again: its secret is sent only to the endpoints that it was set for.
        </Alert>
      )}
      <Group justify="space-between" gap="sm">
        <Text component="div" size="sm" className="names">
          <ClientFacts client={client} isOptional={isOptional} />
        </Text>
        {!editing && (
          <Group gap="sm">
            <Button size="compact-sm" variant="default" onClick={open}>
              {clientId === undefined ? 'Set the client' : 'Replace the client'}
            </Button>
            {clientId !== undefined && (
              <Button size="compact-sm" variant="subtle" color="red" onClick={asking.open}>
                Remove the client
              </Button>
            )}
          </Group>
        )}
      </Group>
      {editing && <ClientForm id={id} client={client} onDone={close} />}
      {removing && (
        <ConfirmModal title={`Remove the client of ${id}?`} action="Remove the client" onConfirm={remove} onClose={asking.close}>
          Its secret is deleted. Until you set a client again, no account can be connected, and tokens that expire cannot be renewed.
        </ConfirmModal>
      )}
    </Stack>
  );
}

function ClientFacts({ client, isOptional }: { client: ConnectionClient; isOptional: boolean }) {
  const { clientId, source, hasSecret, changedAt } = client;
  if (clientId === undefined)
    return isOptional
      ? 'No OAuth client is set: the service registers itself at the provider.'
      : 'No OAuth client is set, so no account can be connected. Create one at the provider, with the callback URL above.';
  return (
    <>
      Client <span className="ids">{clientId}</span>, {hasSecret ? 'with a secret' : 'without a secret'}
      {changedAt && (
        <>
          , {source === 'owner' ? 'set' : 'registered by the service'} <TimeAgo at={changedAt} />
        </>
      )}
    </>
  );
}

function ClientForm({ id, client, onDone }: { id: string; client: ConnectionClient; onDone: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { clientId: client.clientId ?? '', clientSecret: '' },
    validate: { clientId: (text) => (text.trim() === '' ? 'Enter the id that the provider shows' : null) },
  });
  const set = useMutation({
    mutationFn: ({ clientId, clientSecret }: typeof form.values) =>
      setConnectionClient(id, { clientId: clientId.trim(), ...(clientSecret.trim() && { clientSecret: clientSecret.trim() }) }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['connections'] });
      notifications.show({ message: `Saved the client of ${id}` });
      onDone();
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => set.mutate(values))} noValidate>
      <Stack gap="sm" maw="32rem">
        <TextInput label="Client id" autoComplete="off" spellCheck={false} maxLength={500} {...form.getInputProps('clientId')} />
        <PasswordInput
          label="Client secret"
          description="Stored sealed, and never shown again. Leave it empty for a client without a secret."
          autoComplete="off"
          maxLength={1_000}
          {...form.getInputProps('clientSecret')}
        />
        <SaveOrCancel error={set.error} isSaving={set.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
