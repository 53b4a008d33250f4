import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { OwnedKey } from '#sdk/protocol/admin';
import { changeKey } from '../../api/keys';
import { meQuery } from '../../api/me';
import { SaveOrCancel } from '../../parts/save-or-cancel';
import { checkBudget, readBudget, toBudgetValues } from './budget-form';
import { BudgetInput } from './budget-input';
import { checkKeyName, checkScope, MAX_KEY_NAME_CHARS, readLimit } from './key-form';
import { toAllowList, toRows } from './key-scope';
import { LimitInput } from './limit-input';
import { ScopeInput } from './scope-input';

export interface ChangeKeyFormProps {
  info: OwnedKey;
  /** The secret of a new webhook, which no other answer has. */
  onWebhookSecret: (secret: string) => void;
  onDone: () => void;
}

export function ChangeKeyForm({ info, onWebhookSecret, onDone }: ChangeKeyFormProps) {
  const queryClient = useQueryClient();
  const { data: me } = useSuspenseQuery(meQuery);
  const isAgent = info.kind === 'agent';
  // The users of a connected app are people of this service, who connect their accounts in the console.
  const hasUsers = isAgent && !info.app;
  const form = useForm({
    initialValues: {
      kind: info.kind,
      name: info.name,
      rows: info.allow ? toRows(info.allow) : null,
      callsPerMinute: (info.callsPerMinute ?? '') as number | string,
      budget: toBudgetValues(info.budget),
      returnUrl: info.connect?.returnUrl ?? '',
      webhookUrl: info.connect?.webhookUrl ?? '',
    },
    validate: { name: checkKeyName, rows: (rows) => (isAgent ? checkScope(rows) : null), budget: checkBudget },
  });
  const change = useMutation({
    mutationFn: changeKey,
    onSuccess: ({ name, connect }) => {
      if (connect?.webhookSecret !== undefined) onWebhookSecret(connect.webhookSecret);
      void queryClient.invalidateQueries({ queryKey: ['keys'] });
      notifications.show({ message: `Saved ${name}. Takes effect within a second.` });
      onDone();
    },
  });
  const submit = form.onSubmit(({ name, rows, callsPerMinute, budget, returnUrl, webhookUrl }) =>
    change.mutate({
      id: info.id,
      name: name.trim(),
      ...(isAgent && { allow: rows && toAllowList(rows), callsPerMinute: readLimit(callsPerMinute) ?? null }),
      ...(isAgent && me.role === 'owner' && { budget: readBudget(budget) }),
      ...(hasUsers &&
        (form.isDirty('returnUrl') || form.isDirty('webhookUrl')) && {
          connect: { returnUrl: returnUrl.trim() || null, webhookUrl: webhookUrl.trim() || null },
        }),
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
        {hasUsers && (
          <>
            <TextInput
              label="Return URL"
              description="Where the connect page sends users of the app, with a code. Without it, they type the code in the app."
              placeholder="https://shop.example.com/connected"
              type="url"
              {...form.getInputProps('returnUrl')}
            />
            <TextInput
              label="Webhook"
              description="Gets a message when an account of a user is connected or ends."
              placeholder="https://shop.example.com/webhooks/svc"
              type="url"
              {...form.getInputProps('webhookUrl')}
            />
          </>
        )}
        <SaveOrCancel error={change.error} isSaving={change.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
