import { NumberInput, type NumberInputProps } from '@mantine/core';

/** The calls per minute of an agent key. */
export function LimitInput(props: NumberInputProps) {
  return <NumberInput label="Limit per minute" min={1} allowDecimal={false} thousandSeparator="," {...props} />;
}
