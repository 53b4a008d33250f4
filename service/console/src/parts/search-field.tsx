/** The search field of a list, which reports its text a moment after the last key press. */
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

export interface ListSearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

export function ListSearchField({ label, placeholder, value, onChange }: ListSearchFieldProps) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const report = useDebouncedCallback((now: string) => {
    reported.current = now;
    onChange(now);
  }, PAUSE_MS);
  // The address was changed elsewhere, such as by the back button.
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        report(currentTarget.value);
      }}
      autoComplete="off"
      spellCheck={false}
      w={{ base: '100%', xs: 280 }}
    />
  );
}
