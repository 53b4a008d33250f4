/** Editor for the rules of an agent key, as a form in the order of evaluation, or as JSON to copy and paste. */
import { Button, Group, Input, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import type { RuleEffect } from '#sdk/protocol/rules';
import { refusedRule } from './refused-rule';
import { RuleRowInput } from './rule-row-input';
import { EFFECTS, inOrder, newRow, problemsOf, type RuleRow } from './rule-rows';
import { type RulesDraft, readRules, rulesAsForm, rulesAsJson } from './rules-draft';

const GROUPS: Record<RuleEffect, { title: string; meaning: string; add: string }> = {
  deny: { title: 'Deny', meaning: 'Refused. Comes before all other rules.', add: 'Rule that denies' },
  ask: { title: 'Ask a person', meaning: 'Waits until a person approves.', add: 'Rule that asks' },
  allow: { title: 'Allow', meaning: 'Runs, whatever the defaults of the service are.', add: 'Rule that allows' },
};

export interface RulesEditorProps {
  draft: RulesDraft;
  onChange: (draft: RulesDraft) => void;
  /** The form was sent: what is missing is marked. */
  isChecked: boolean;
  /** The refusal of the service. */
  error: unknown;
}

export function RulesEditor({ draft, onChange, isChecked, error }: RulesEditorProps) {
  const labelId = useId();
  const form = rulesAsForm(draft);
  const switchTo = (as: string) => {
    if (as === 'json') onChange(rulesAsJson(draft));
    else if (form) onChange(form);
  };
  return (
    <Stack gap="sm" role="group" aria-labelledby={labelId}>
      <Group justify="space-between">
        <Input.Label component="span" id={labelId}>
          Rules
        </Input.Label>
        <SegmentedControl
          size="xs"
          aria-label="How the rules are written"
          value={draft.as}
          onChange={switchTo}
          data={[
            { value: 'form', label: 'Form', disabled: form === undefined },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </Group>
      {draft.as === 'form' ? (
        <RuleRows rows={draft.rows} onChange={(rows) => onChange({ as: 'form', rows })} isChecked={isChecked} error={error} />
      ) : (
        <RulesAsText draft={draft} onChange={onChange} labelId={labelId} error={error} />
      )}
      <Text size="xs" c="dimmed">
        Where no rule matches, the defaults of the service decide.
      </Text>
    </Stack>
  );
}

interface RuleRowsProps {
  rows: readonly RuleRow[];
  onChange: (rows: RuleRow[]) => void;
  isChecked: boolean;
  error: unknown;
}

function RuleRows({ rows, onChange, isChecked, error }: RuleRowsProps) {
  const ordered = inOrder(rows);
  const problems = isChecked ? problemsOf(rows) : new Map<string, string>();
  const refused = refusedRule(error);
  return EFFECTS.map((effect) => {
    const { title, meaning, add } = GROUPS[effect];
    return (
      <Stack key={effect} gap="xs" component="section" aria-label={title}>
        <Group justify="space-between" gap="xs" align="flex-end" wrap="nowrap">
          <div>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            <Text size="xs" c="dimmed">
              {meaning}
            </Text>
          </div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            flex="none"
            onClick={() => onChange([...rows, newRow(effect)])}
            aria-label={add}
          >
            Rule
          </Button>
        </Group>
        {ordered.map(
          (row, index) =>
            row.do === effect && (
              <RuleRowInput
                key={row.id}
                row={row}
                label={`Rule ${index + 1}`}
                problems={problems}
                refusal={refused?.index === index ? refused.message : undefined}
                onChange={(changed) => onChange(rows.map((other) => (other.id === row.id ? changed : other)))}
                onRemove={() => onChange(rows.filter(({ id }) => id !== row.id))}
              />
            ),
        )}
      </Stack>
    );
  });
}

function RulesAsText({ draft, onChange, labelId, error }: Omit<RulesEditorProps, 'isChecked'> & { labelId: string }) {
  const read = readRules(draft);
  const refused = refusedRule(error);
  const json = rulesAsJson(draft);
  return (
    <Textarea
      aria-labelledby={labelId}
      value={json.as === 'json' ? json.text : ''}
      onChange={({ currentTarget }) => onChange({ as: 'json', text: currentTarget.value })}
      error={'problem' in read ? read.problem : refused && `Rule ${refused.index + 1}: ${refused.message}`}
      autosize
      minRows={6}
      maxRows={24}
      spellCheck={false}
      classNames={{ input: 'ids' }}
    />
  );
}
