import { Button, Group, Modal, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Me } from '#sdk/protocol/admin';
import type { CreatedKey, KeyKind } from '#sdk/protocol/http';
import { createKey } from '../../api/keys';
import { useFocusBack } from '../../parts/focus-back';
import { FormError } from '../../parts/form-error';
import { checkBudget, readBudget, toBudgetValues } from './budget-form';
import { BudgetInput } from './budget-input';
import { checkKeyName, checkScope, MAX_KEY_NAME_CHARS, readLimit } from './key-form';
import { type ScopeRow, toAllowList } from './key-scope';
import { KeyToolkitSelect } from './key-toolkit-select';
import { LimitInput } from './limit-input';
import { refusedRule } from './rules/refused-rule';
import { checkRules, NO_RULES, readRules } from './rules/rules-draft';
import { RulesInput } from './rules/rules-input';
import { RulesPreview } from './rules/rules-preview';
import { ScopeInput } from './scope-input';
import { SecretOnce } from './secret-once';

const EXPIRIES = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

const PURPOSES: Record<KeyKind, string> = {
  agent: 'For a program that searches and calls actions.',
  toolkit: 'For a program that serves the actions of one toolkit.',
  admin: 'For a script that manages keys. It has the rights of an owner.',
};

export interface NewKeyModalProps {
  me: Me;
  /** The only toolkit that an agent key may use, until the person changes it. */
  toolkit: string | undefined;
  onClose: () => void;
}

export function NewKeyModal({ me, toolkit, onClose }: NewKeyModalProps) {
  useFocusBack();
  const [made, setMade] = useState<CreatedKey>();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={made ? `Key ${made.name}` : 'New key'}
      // An accidental click must not lose a secret that is not copied yet.
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      withCloseButton={!made}
    >
      {made ? <SecretOnce made={made} url={me.url} onDone={onClose} /> : <NewKeyForm me={me} toolkit={toolkit} onMade={setMade} />}
    </Modal>
  );
}

function NewKeyForm({ me, toolkit, onMade }: Omit<NewKeyModalProps, 'onClose'> & { onMade: (made: CreatedKey) => void }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: {
      kind: 'agent' as KeyKind,
      name: '',
      toolkit: '',
      rows: toolkit === undefined ? (null as ScopeRow[] | null) : [{ toolkit, actions: [] }],
      rules: NO_RULES,
      callsPerMinute: '' as number | string,
      budget: toBudgetValues(),
      expiresInDays: '',
    },
    validate: {
      name: checkKeyName,
      rows: (rows, { kind }) => (kind === 'agent' ? checkScope(rows) : null),
      rules: (draft, { kind }) => (kind === 'agent' ? checkRules(draft) : null),
      budget: checkBudget,
    },
  });
  const { kind, rows, rules } = form.values;
  const create = useMutation({
    mutationFn: createKey,
    onSuccess: (created) => {
      void queryClient.invalidateQueries({ queryKey: ['keys'] });
      onMade(created);
    },
  });
  const submit = form.onSubmit(({ name, toolkit, rules: draft, callsPerMinute, budget: asked, expiresInDays }) => {
    const read = readRules(draft);
    const limit = readLimit(callsPerMinute);
    const budget = readBudget(asked);
    create.mutate({
      kind,
      name: name.trim(),
      ...(kind === 'toolkit' && toolkit && { toolkit }),
      ...(kind === 'agent' && rows && { allow: toAllowList(rows) }),
      ...(kind === 'agent' && 'rules' in read && read.rules.length > 0 && { rules: read.rules }),
      ...(kind === 'agent' && limit !== undefined && { callsPerMinute: limit }),
      ...(kind === 'agent' && budget && { budget }),
      ...(expiresInDays && { expiresInDays: Number(expiresInDays) }),
    });
  });
  const kinds: KeyKind[] = me.role === 'owner' ? ['agent', 'toolkit', 'admin'] : ['agent', 'toolkit'];
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <SegmentedControl
          aria-label="Kind of key"
          fullWidth
          value={kind}
          onChange={(value) => form.setFieldValue('kind', value as KeyKind)}
          data={kinds.map((value) => ({ value, label: `${value.charAt(0).toUpperCase()}${value.slice(1)} key` }))}
        />
        <TextInput
          label="Name"
          description={PURPOSES[kind]}
          placeholder={kind === 'toolkit' ? 'weather' : kind === 'agent' ? 'support-bot' : 'deploy-script'}
          maxLength={MAX_KEY_NAME_CHARS}
          data-autofocus
          {...form.getInputProps('name')}
        />
        {kind === 'toolkit' && <KeyToolkitSelect {...form.getInputProps('toolkit')} />}
        {kind === 'agent' && (
          <>
            <ScopeInput rows={rows} onChange={(changed) => form.setFieldValue('rows', changed)} error={form.errors.rows} />
            <RulesInput
              draft={rules}
              onChange={(changed) => form.setFieldValue('rules', changed)}
              isChecked={form.errors.rules !== undefined}
              error={create.error}
            />
            <RulesPreview draft={rules} />
          </>
        )}
        <Group grow align="flex-start">
          {kind === 'agent' && <LimitInput placeholder="No limit" {...form.getInputProps('callsPerMinute')} />}
          <Select label="Expires" data={EXPIRIES} allowDeselect={false} {...form.getInputProps('expiresInDays')} />
        </Group>
        {kind === 'agent' && <BudgetInput perCall={form.getInputProps('budget.perCall')} perDay={form.getInputProps('budget.perDay')} />}
        <FormError error={refusedRule(create.error) ? undefined : create.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
