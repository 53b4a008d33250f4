/** Fields with one value. Each input renders its label, description and error, so that screen readers connect them. */
import { Checkbox, MultiSelect, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { WidgetProps } from '@rjsf/utils';
import { written } from './written';

function common({ id, label, hideLabel, required, disabled, schema, rawErrors, placeholder }: WidgetProps) {
  return {
    id,
    ...(placeholder && { placeholder }),
    ...(hideLabel ? { 'aria-label': label } : { label, description: written(schema.description) }),
    withAsterisk: required === true,
    disabled: disabled === true,
    error: rawErrors && rawErrors.length > 0 ? rawErrors.join('. ') : undefined,
  };
}

/** An empty text is left out of the payload. */
const orNothing = (text: string): string | undefined => (text === '' ? undefined : text);

export function TextWidget(props: WidgetProps) {
  const { value, onChange, onBlur, id } = props;
  return (
    <TextInput
      {...common(props)}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(orNothing(event.currentTarget.value))}
      onBlur={() => onBlur(id, value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

export function TextareaWidget(props: WidgetProps) {
  const { value, onChange, onBlur, id } = props;
  return (
    <Textarea
      {...common(props)}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(orNothing(event.currentTarget.value))}
      onBlur={() => onBlur(id, value)}
      autosize
      minRows={2}
      maxRows={12}
    />
  );
}

export function NumberWidget(props: WidgetProps) {
  const { value, onChange, onBlur, id, schema } = props;
  return (
    <NumberInput
      {...common(props)}
      value={typeof value === 'number' ? value : ''}
      onChange={(given) => onChange(typeof given === 'number' ? given : undefined)}
      onBlur={() => onBlur(id, value)}
      allowDecimal={schema.type !== 'integer'}
      hideControls
      // Invalid numbers are allowed, to try them.
      clampBehavior="none"
      {...(schema.minimum !== undefined && { min: schema.minimum })}
      {...(schema.maximum !== undefined && { max: schema.maximum })}
    />
  );
}

export function CheckboxWidget(props: WidgetProps) {
  const { value, onChange, onBlur, id } = props;
  const { withAsterisk: _, ...rest } = common(props);
  return (
    <Checkbox
      {...rest}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
      onBlur={() => onBlur(id, value)}
    />
  );
}

export function SelectWidget(props: WidgetProps) {
  const { value, onChange, onBlur, id, options, required } = props;
  const choices = options.enumOptions ?? [];
  const chosen = choices.findIndex((choice) => choice.value === value);
  return (
    <Select
      {...common(props)}
      data={choices.map((choice, index) => ({ value: String(index), label: String(choice.value) }))}
      value={chosen < 0 ? null : String(chosen)}
      onChange={(index) => onChange(index === null ? undefined : choices[Number(index)]?.value)}
      onBlur={() => onBlur(id, value)}
      clearable={!required}
      allowDeselect={!required}
      searchable={choices.length > 10}
      placeholder="Choose"
    />
  );
}

/** A list of choices, each of them once. */
export function ChoicesWidget(props: WidgetProps) {
  const { value, onChange, onBlur, id, options, required } = props;
  const choices = options.enumOptions ?? [];
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  const chosen = choices.flatMap((choice, index) => (given.includes(choice.value) ? [String(index)] : []));
  return (
    <MultiSelect
      {...common(props)}
      data={choices.map((choice, index) => ({ value: String(index), label: String(choice.value) }))}
      value={chosen}
      onChange={(indexes) =>
        onChange(indexes.length === 0 && !required ? undefined : indexes.map((index) => choices[Number(index)]?.value))
      }
      onBlur={() => onBlur(id, value)}
      clearable
      searchable={choices.length > 10}
      {...(chosen.length === 0 && { placeholder: 'Choose' })}
    />
  );
}
