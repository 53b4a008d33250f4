/** One rule: its conditions, which all have to match. */
import { ActionIcon, Button, Checkbox, Group, Menu, Paper, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash, IconX } from '@tabler/icons-react';
import { CONDITION_LABELS, TextConditionInput } from './condition-inputs';
import { PayloadConditionInput } from './payload-condition-input';
import { newCondition, type RuleCondition, type RuleRow, TEXT_CONDITIONS } from './rule-rows';

/** The service refuses more. */
const MAX_PAYLOAD_CONDITIONS = 10;

export interface RuleRowInputProps {
  row: RuleRow;
  /** The accessible name, such as `Rule 2`. */
  label: string;
  problems: ReadonlyMap<string, string>;
  /** Why the service refused the rule. */
  refusal: string | undefined;
  onChange: (changed: RuleRow) => void;
  onRemove: () => void;
}

export function RuleRowInput({ row, label, problems, refusal, onChange, onRemove }: RuleRowInputProps) {
  const { conditions } = row;
  const change = (changed: RuleCondition) =>
    onChange({ ...row, conditions: conditions.map((condition) => (condition.id === changed.id ? changed : condition)) });
  const remove = ({ id }: RuleCondition) => onChange({ ...row, conditions: conditions.filter((condition) => condition.id !== id) });
  return (
    <Paper withBorder p="sm" role="group" aria-label={label}>
      <Stack gap="sm">
        {conditions.length === 0 && <Text size="sm">Every call</Text>}
        {conditions.map((condition) => (
          <Group key={condition.id} gap="xs" align="flex-start" wrap="nowrap">
            <div className="rule-condition">
              {condition.kind === 'payload' ? (
                <PayloadConditionInput condition={condition} error={problems.get(condition.id)} onChange={change} />
              ) : (
                <TextConditionInput
                  condition={condition}
                  error={problems.get(condition.id)}
                  onChange={(text) => change({ ...condition, text })}
                />
              )}
            </div>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              className="beside-input"
              aria-label={`Remove the condition ${CONDITION_LABELS[condition.kind]}`}
              onClick={() => remove(condition)}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        {row.do === 'ask' && (
          <Checkbox
            label="The app may decide too"
            description="For an app that asks its own user. Its agent key then approves its own calls."
            checked={row.byApp}
            onChange={({ currentTarget }) => onChange({ ...row, byApp: currentTarget.checked })}
          />
        )}
        {refusal !== undefined && (
          <Text size="sm" c="var(--text-alarming)" role="alert" className="names">
            {refusal}
          </Text>
        )}
        <Group justify="space-between" gap="xs">
          <AddCondition conditions={conditions} onAdd={(kind) => onChange({ ...row, conditions: [...conditions, newCondition(kind)] })} />
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={onRemove}
            aria-label={`Remove ${label}`}
          >
            Remove
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function AddCondition({ conditions, onAdd }: { conditions: readonly RuleCondition[]; onAdd: (kind: RuleCondition['kind']) => void }) {
  const used = conditions.map(({ kind }) => kind);
  const tests = used.filter((kind) => kind === 'payload').length;
  const kinds: RuleCondition['kind'][] = [
    ...TEXT_CONDITIONS.filter((kind) => !used.includes(kind)),
    ...(tests < MAX_PAYLOAD_CONDITIONS ? (['payload'] as const) : []),
  ];
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />}>
          Condition
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((kind) => (
          <Menu.Item key={kind} onClick={() => onAdd(kind)}>
            {CONDITION_LABELS[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
