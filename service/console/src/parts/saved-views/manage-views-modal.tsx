/** Renames, shares and deletes saved views. Others' shared views are listed with the name of their person. */
import { ActionIcon, Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedView } from '#sdk/protocol/admin';
import { meQuery } from '../../api/me';
import { changeView, deleteView, savedViewsQuery } from '../../api/saved-views';
import { useFocusBack } from '../focus-back';
import { FormError } from '../form-error';

export function ManageViewsModal({ views, onClose }: { views: readonly SavedView[]; onClose: () => void }) {
  useFocusBack();
  const { data: me } = useSuspenseQuery(meQuery);
  return (
    <Modal opened onClose={onClose} title="Saved views" size="lg" centered>
      <Stack>
        {views.length === 0 && <Text size="sm">No views are saved for this page.</Text>}
        {views.map((view) =>
          view.mine || me.role === 'owner' ? (
            <ViewRow key={view.id} view={view} mayShare={me.role === 'owner'} />
          ) : (
            <Text key={view.id} size="sm" c="dimmed" className="names">
              {view.name}, shared{view.owner && ` by ${view.owner}`}
            </Text>
          ),
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function ViewRow({ view, mayShare }: { view: SavedView; mayShare: boolean }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(view.name);
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: savedViewsQuery.queryKey });
  const change = useMutation({ mutationFn: changeView, onSuccess });
  const remove = useMutation({ mutationFn: deleteView, onSuccess });
  const rename = () => {
    const wanted = name.trim();
    if (wanted === '') setName(view.name);
    else if (wanted !== view.name) change.mutate({ id: view.id, name: wanted });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rename();
      }}
    >
      <Group gap="sm" wrap="nowrap" align="center">
        <TextInput
          aria-label={`Name of ${view.name}`}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onBlur={rename}
          maxLength={80}
          flex={1}
        />
        {mayShare && (
          <Checkbox
            label="Shared"
            aria-label={`Share ${view.name}`}
            checked={view.shared}
            onChange={({ currentTarget }) => change.mutate({ id: view.id, shared: currentTarget.checked })}
          />
        )}
        <ActionIcon
          variant="subtle"
          color="red"
          size="lg"
          aria-label={`Delete ${view.name}`}
          loading={remove.isPending}
          onClick={() => remove.mutate(view.id)}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </Group>
      <FormError error={change.error ?? remove.error} />
    </form>
  );
}
