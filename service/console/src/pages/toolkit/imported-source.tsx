/** The source of an imported toolkit, and its changes that wait for an owner's approval. Empty for other toolkits. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { HeldChanges } from '#sdk/protocol/imports';
import { approveImport, importsQuery } from '../../api/imports';
import { meQuery } from '../../api/me';
import { ConfirmModal } from '../../parts/confirm-modal';
import { DiffBlock } from '../../parts/diff-block';
import { formatPlural } from '../../parts/format';
import { Section } from '../../parts/section';
import { heldLines } from './held-lines';

export function ImportedSource({ id }: { id: string }) {
  const { data: me } = useSuspenseQuery(meQuery);
  const { data } = useQuery({ ...importsQuery, enabled: me.role === 'owner' });
  const status = data?.imports.find((one) => one.id === id);
  if (!status) return null;
  const { source, problem, held } = status;
  return (
    <Section title="Imported">
      <Stack gap="md">
        <Text size="sm" className="written">
          From <span className="ids">{source}</span>
        </Text>
        {problem && (
          <Alert color="red" variant="light" title="It does not work now" icon={<IconAlertTriangle size={18} />}>
            <span className="written">{problem}</span>
          </Alert>
        )}
        {held && <Held id={id} held={held} />}
      </Stack>
    </Section>
  );
}

function Held({ id, held: { changes, diff, sha256 } }: { id: string; held: HeldChanges }) {
  const [asking, { open, close }] = useDisclosure();
  const queryClient = useQueryClient();
  const approve = async () => {
    try {
      await approveImport(id, sha256);
    } finally {
      // After a refusal too: the page shows the new changes.
      await queryClient.invalidateQueries({ queryKey: ['reports'] });
    }
  };
  const count = formatPlural(changes.length, 'change');
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm" maw="46rem">
          {count} of the source {changes.length === 1 ? 'waits' : 'wait'} for your approval. Until then agents see and use what was approved
          before.
        </Text>
        <Button size="xs" onClick={open}>
          Approve {count}
        </Button>
      </Group>
      <DiffBlock lines={heldLines(diff)} label={`Changes of ${id}`} />
      {asking && (
        <ConfirmModal title={`Approve ${count} of ${id}?`} action="Approve" onConfirm={approve} onClose={close}>
          Agents then read the new texts and can use the new actions. Look for texts that instruct the model, and for actions that do more
          than before.
        </ConfirmModal>
      )}
    </Stack>
  );
}
