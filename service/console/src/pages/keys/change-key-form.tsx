import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { OwnedKey } from '#sdk/protocol/admin';
import { changeKey } from '../../api/keys';
import { meQuery } from '../../api/me';
import { FormError } from '../../parts/form-error';
import { checkBudget, readBudget, toBudgetValues } from './budget-form';
import { BudgetInput } from './budget-input';
import { checkKeyName, checkScope, MAX_KEY_NAME_CHARS, readLimit } from './key-form';
import { toAllowList, toRows } from './key-scope';
import { LimitInput } from './limit-input';
import { ScopeInput } from './scope-input';

export function ChangeKeyForm({ info, onDone }: { info: OwnedKey; onDone: () => void }) {
  const queryClient = useQueryClient();
  const { data: me } = useSuspenseQuery(meQuery);
  const isAgent = info.kind === 'agent';
  const form = useForm({
    initialValues: {
      kind: info.kind,
      name: info.name,
      rows: info.allow ? toRows(info.allow) : null,
      callsPerMinute: (info.callsPerMinute ?? '') as number | string,
      budget: toBudgetValues(info.budget),
    },
    validate: { name: checkKeyName, rows: (rows) => (isAgent ? checkScope(rows) : null), budget: checkBudget },
  });
  const change = useMutation({
    mutationFn: changeKey,
    onSuccess: ({ name }) => {
      void queryClient.invalidateQueries({ queryKey: ['keys'] });
      notifications.show({ message: `Saved ${name}. Takes effect within a second.` });
      onDone();
    },
  });
  const submit = form.onSubmit(({ name, rows, callsPerMinute, budget }) =>
    change.mutate({
      id: info.id,
      name: name.trim(),
      ...(isAgent && { allow: rows && toAllowList(rows), callsPerMinute: readLimit(callsPerMinute) ?? null }),
      ...(isAgent && me.role === 'owner' && { budget: readBudget(budget) }),
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput label="Name" maxLength={MAX_KEY_NAME_CHARS} {...form.getInputProps('name')} />
        {isAgent && <ScopeInput rows={form.values.rows} onChange={(rows) => form.setFieldValue('rows', rows)} error={form.errors.rows} />}
        {isAgent && <LimitInput description="Leave empty for no limit." {...form.getInputProps('callsPerMinute')} />}
        {isAgent && (
          <BudgetInput current={info.budget} perCall={form.getInputProps('budget.perCall')} perDay={form.getInputProps('budget.perDay')} />
        )}
        <FormError error={change.error} />
        <Group gap="sm">
          <Button type="submit" loading={change.isPending}>
            Save
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
