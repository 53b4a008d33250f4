import { Button, Checkbox, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ViewPage } from '#sdk/protocol/admin';
import { meQuery } from '../../api/me';
import { savedViewsQuery, saveView } from '../../api/saved-views';
import { useFocusBack } from '../focus-back';
import { FormError } from '../form-error';

export interface SaveViewModalProps {
  page: ViewPage;
  /** The query string of the page. */
  query: string;
  onClose: () => void;
}

export function SaveViewModal({ page, query, onClose }: SaveViewModalProps) {
  useFocusBack();
  const { data: me } = useSuspenseQuery(meQuery);
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: saveView,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: savedViewsQuery.queryKey });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Save these filters" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) save.mutate({ page, name: name.trim(), query, shared });
        }}
      >
        <Stack>
          <Text size="sm">
            Keeps the address <Code className="ids">{`/${page}${decodeURIComponent(query)}`}</Code>, not the rows.
          </Text>
          <TextInput
            label="Name"
            placeholder="Refused this week"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={80}
            required
            data-autofocus
          />
          {me.role === 'owner' && (
            <Checkbox
              label="Share with everybody"
              description="Each person sees their own rows."
              checked={shared}
              onChange={({ currentTarget }) => setShared(currentTarget.checked)}
            />
          )}
          <FormError error={save.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
              Save view
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
