import { NumberInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

const PAUSE_MS = 400;

export interface AmountInputProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  /** Called after a pause: each search counts for the agent. */
  onChange: (value: number) => void;
}

export function AmountInput({ value, min, max, onChange, ...rest }: AmountInputProps) {
  const [typed, setTyped] = useState<number | string>(value);
  useEffect(() => setTyped(value), [value]);
  const apply = useDebouncedCallback(onChange, PAUSE_MS);
  return (
    <NumberInput
      {...rest}
      min={min}
      max={max}
      value={typed}
      size="sm"
      w={140}
      allowDecimal={false}
      thousandSeparator=","
      clampBehavior="blur"
      onChange={(next) => {
        setTyped(next);
        // While the person types, the value may be out of range.
        if (typeof next === 'number' && next >= min && next <= max && next !== value) apply(next);
      }}
    />
  );
}
