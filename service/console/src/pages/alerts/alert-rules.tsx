/** The rules, one row for each kind. Each change is saved when its field is left. */
import { Checkbox, Group, NumberInput, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ALERT_KINDS, ALERT_RULES, type AlertKind, type AlertRule, type AlertRules, alertRuleOf } from '#sdk/protocol/alerts';
import { settingsQuery, useChangeSettings } from '../../api/settings';
import { ErrorNotice } from '../../parts/error-notice';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { ALERT_WORDS } from './alert-words';

export function AlertRulesSection() {
  const query = useQuery(settingsQuery);
  const save = useChangeSettings();
  return (
    <Section title="Rules" description="The things that the service watches. A change is saved at once and holds from the next minute on.">
      <QueryView query={query} rows={8}>
        {({ settings: { alertRules } }) => (
          <Stack gap="xs">
            {ALERT_KINDS.map((kind) => (
              <RuleRow
                key={kind}
                kind={kind}
                rules={alertRules}
                onChange={(rule) => save.mutate({ alertRules: { ...alertRules, [kind]: { ...alertRules[kind], ...rule } } })}
              />
            ))}
            {save.error && <ErrorNotice error={save.error} title="Could not save the rule" />}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

interface RuleRowProps {
  kind: AlertKind;
  rules: AlertRules;
  onChange: (rule: AlertRule) => void;
}

function RuleRow({ kind, rules, onChange }: RuleRowProps) {
  const { label, threshold, minCalls } = ALERT_WORDS[kind];
  const rule = alertRuleOf(kind, rules);
  const fields = [
    { name: 'threshold', label: threshold, range: ALERT_RULES[kind].threshold, value: rule.threshold },
    { name: 'minCalls', label: minCalls, range: ALERT_RULES[kind].minCalls, value: rule.minCalls },
  ] as const;
  return (
    <Group justify="space-between" gap="sm" component="fieldset" m={0} p={0} bd={0} aria-label={label}>
      <Checkbox label={label} checked={rule.on} onChange={({ currentTarget }) => onChange({ on: currentTarget.checked })} />
      <Group gap="sm">
        {fields.map(
          ({ name, label: of, range, value }) =>
            of !== undefined &&
            range && (
              <NumberInput
                key={`${name} ${value}`}
                size="xs"
                w="10rem"
                label={of}
                defaultValue={value}
                min={range.min}
                max={range.max}
                disabled={!rule.on}
                onBlur={({ currentTarget }) => {
                  const typed = Number(currentTarget.value.replaceAll(',', ''));
                  if (currentTarget.value !== '' && typed !== value) onChange({ [name]: typed });
                }}
              />
            ),
        )}
      </Group>
    </Group>
  );
}
