/** Creates a key with one click; the name can be changed first. */
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedKey, KeyKind } from '#sdk/protocol/http';
import { createKey } from '../../api/keys';
import { FormError } from '../../parts/form-error';
import { MAX_KEY_NAME_CHARS } from '../keys/key-form';

export interface MakeKeyProps {
  kind: KeyKind;
  defaultName: string;
  /** Label of the button. */
  action: string;
  onMade: (made: CreatedKey) => void;
}

export function MakeKey({ kind, defaultName, action, onMade }: MakeKeyProps) {
  const [name, setName] = useState(defaultName);
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: createKey,
    onSuccess: (made) => {
      void queryClient.invalidateQueries({ queryKey: ['keys'] });
      onMade(made);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ kind, name: name.trim() || defaultName });
      }}
    >
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <TextInput
            label="Key name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={MAX_KEY_NAME_CHARS}
            w={{ base: '100%', xs: 240 }}
          />
          <Button type="submit" loading={create.isPending}>
            {action}
          </Button>
        </Group>
        <FormError error={create.error} />
      </Stack>
    </form>
  );
}
