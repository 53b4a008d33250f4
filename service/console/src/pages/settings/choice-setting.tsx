/** A setting with a few choices, each with its meaning. */
import { Radio, Stack } from '@mantine/core';

export interface ChoiceSettingProps<Value extends string> {
  label: string;
  value: Value;
  choices: Record<Value, { label: string; meaning: string }>;
  onChange: (value: Value) => void;
}

export function ChoiceSetting<Value extends string>({ label, value, choices, onChange }: ChoiceSettingProps<Value>) {
  return (
    <Radio.Group label={label} value={value} onChange={(chosen) => onChange(chosen as Value)}>
      <Stack gap="sm" mt="xs">
        {(Object.keys(choices) as Value[]).map((name) => (
          <Radio key={name} value={name} label={choices[name].label} description={choices[name].meaning} maw="46rem" />
        ))}
      </Stack>
    </Radio.Group>
  );
}
