/** Makes a link to the connect page of one account, and shows it. */
import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ConnectLinkRequest, CreatedConnectLink, OwnedKey } from '#sdk/protocol/admin';
import { DEFAULT_CONNECTION } from '#sdk/protocol/connections';
import { agentKeyQuery } from '../api/agent-keys';
import { makeConnectLink } from '../api/connections';
import { AgentKeySelect } from './agent-key-select';
import { useFocusBack } from './focus-back';
import { FormError } from './form-error';
import { formatClock } from './format';

export interface ConnectAccountProps {
  /** Fixed for a new connection to an account that was connected before. */
  asked: Pick<ConnectLinkRequest, 'owner'> & Partial<ConnectLinkRequest>;
  /** The choice where `asked` names no toolkit. */
  toolkits?: readonly { id: string; name: string }[] | undefined;
  onClose: () => void;
}

export function ConnectAccount({ asked, toolkits, onClose }: ConnectAccountProps) {
  useFocusBack();
  const [link, setLink] = useState<CreatedConnectLink>();
  const verb = asked.name === undefined ? 'Connect an account' : 'Connect again';
  return (
    <Modal opened onClose={onClose} title={asked.toolkit === undefined ? verb : `${verb}: ${asked.toolkit}`}>
      {link ? <OpenPage link={link} onClose={onClose} /> : <AccountForm asked={asked} toolkits={toolkits} onLink={setLink} />}
    </Modal>
  );
}

function AccountForm({ asked, toolkits, onLink }: Omit<ConnectAccountProps, 'onClose'> & { onLink: (link: CreatedConnectLink) => void }) {
  const [chosen, setChosen] = useState<OwnedKey>();
  const { data: first } = useQuery(agentKeyQuery());
  const agent = chosen ?? first;
  const form = useForm({
    initialValues: { toolkit: asked.toolkit ?? null, name: asked.name ?? '' },
    validate: {
      toolkit: (toolkit) => (toolkit === null ? 'Choose a toolkit' : null),
      name: (name) => (/^[A-Za-z0-9._@-]{0,64}$/.test(name.trim()) ? null : 'Use letters, digits and . _ @ - (at most 64)'),
    },
  });
  const keyId = asked.keyId ?? agent?.id ?? '';
  const make = useMutation({ mutationFn: makeConnectLink, onSuccess: onLink });
  const submit = form.onSubmit(({ toolkit, name }) =>
    make.mutate({
      toolkit: toolkit ?? '',
      owner: asked.owner,
      ...(asked.owner === 'agent' && { keyId }),
      ...(name.trim() && { name: name.trim() }),
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {asked.toolkit === undefined && (
          <Select
            label="Toolkit"
            searchable
            limit={50}
            data={(toolkits ?? []).map(({ id, name }) => ({ value: id, label: name === id ? id : `${name} (${id})` }))}
            data-autofocus
            {...form.getInputProps('toolkit')}
          />
        )}
        {asked.owner === 'agent' && asked.keyId === undefined && agent && (
          <AgentKeySelect label="Agent key" description="Calls with this key act with the account." value={agent} onChange={setChosen} />
        )}
        {asked.name === undefined ? (
          <TextInput
            label="Name"
            description="To tell several accounts apart, such as work. An account of the same name is replaced."
            placeholder={DEFAULT_CONNECTION}
            maxLength={64}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
        ) : (
          <Text size="sm">
            The new sign-in replaces the account <span className="ids">{asked.name}</span>.
          </Text>
        )}
        <FormError error={make.error} />
        <Actions>
          <Button type="submit" loading={make.isPending} disabled={asked.owner === 'agent' && keyId === ''}>
            Continue
          </Button>
        </Actions>
      </Stack>
    </form>
  );
}

function OpenPage({ link: { url, expiresAt }, onClose }: { link: CreatedConnectLink; onClose: () => void }) {
  return (
    <Stack>
      <Text size="sm" role="status">
        The page to connect the account is ready. It says what the toolkit asks for, and works once, until {formatClock(expiresAt)}.
      </Text>
      <Actions>
        <Button component="a" href={url} target="_blank" rel="noreferrer" onClick={onClose} data-autofocus>
          Open the connect page
        </Button>
      </Actions>
    </Stack>
  );
}

const Actions = ({ children }: { children: ReactNode }) => <Group justify="flex-end">{children}</Group>;
