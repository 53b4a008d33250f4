/** The effect of the service for calls that no rule of their key matches, by the hints of their action. */
import { Select, SimpleGrid } from '@mantine/core';
import { RULE_HINTS, type RuleDefaults, type RuleEffect, type RuleHint } from '#sdk/protocol/rules';

const LABELS: Record<RuleHint, string> = {
  destructive: 'Destructive',
  undeclared: 'Neither read-only nor destructive',
  openWorld: 'Open world',
  idempotent: 'Idempotent',
  readOnly: 'Read-only',
};

const EFFECTS: { value: RuleEffect; label: string }[] = [
  { value: 'allow', label: 'Allow' },
  { value: 'ask', label: 'Ask a person' },
  { value: 'deny', label: 'Deny' },
];

export interface RuleDefaultsSettingProps {
  value: RuleDefaults;
  onChange: (value: RuleDefaults) => void;
}

export function RuleDefaultsSetting({ value, onChange }: RuleDefaultsSettingProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} maw="46rem">
      {(Object.keys(LABELS) as RuleHint[]).map((hint) => (
        <Select
          key={hint}
          label={LABELS[hint]}
          data={EFFECTS}
          value={value[hint] ?? 'allow'}
          onChange={(effect) => onChange(withDefault(value, hint, effect as RuleEffect))}
          allowDeselect={false}
        />
      ))}
    </SimpleGrid>
  );
}

/** Members keep the order of the protocol, so that equal settings have equal JSON. */
function withDefault(defaults: RuleDefaults, changed: RuleHint, effect: RuleEffect): RuleDefaults {
  const all = { ...defaults, [changed]: effect };
  return Object.fromEntries(RULE_HINTS.flatMap((hint) => (all[hint] === undefined || all[hint] === 'allow' ? [] : [[hint, all[hint]]])));
}
