/** The rules of one agent key, in its drawer. */
import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OwnedKey } from '#sdk/protocol/admin';
import { changeKey } from '../../../api/keys';
import { SaveOrCancel } from '../../../parts/save-or-cancel';
import { refusedRule } from './refused-rule';
import { checkRules, draftOfRules, readRules } from './rules-draft';
import { RulesInput } from './rules-input';
import { RulesPreview } from './rules-preview';

export function RulesForm({ info, onDone }: { info: OwnedKey; onDone: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { rules: draftOfRules(info.rules) }, validate: { rules: checkRules } });
  const { rules: draft } = form.values;
  const change = useMutation({
    mutationFn: changeKey,
    onSuccess: ({ name }) => {
      void queryClient.invalidateQueries({ queryKey: ['keys'] });
      notifications.show({ message: `Saved the rules of ${name}. They take effect within a second.` });
      onDone();
    },
  });
  const submit = form.onSubmit(({ rules }) => {
    const read = readRules(rules);
    if ('rules' in read) change.mutate({ id: info.id, rules: read.rules.length > 0 ? read.rules : null });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <RulesInput
          draft={draft}
          onChange={(changed) => {
            change.reset();
            form.setFieldValue('rules', changed);
          }}
          isChecked={form.errors.rules !== undefined}
          error={change.error}
        />
        <RulesPreview draft={draft} keyId={info.id} />
        <SaveOrCancel error={refusedRule(change.error) ? undefined : change.error} isSaving={change.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}
