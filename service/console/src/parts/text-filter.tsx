/** A text by which a list is filtered. Applied with Enter, or when the field loses the focus. */
import { TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';

export interface TextFilterProps {
  label: string;
  placeholder: string;
  value: string | undefined;
  problemOf?: (text: string) => string | undefined;
  onChange: (value: string | undefined) => void;
}

export function TextFilter({ label, placeholder, value = '', problemOf, onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const problem = text.trim() === '' ? undefined : problemOf?.(text.trim());
  const apply = () => text.trim() !== value && !problem && onChange(text.trim() || undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  return (
    <form onSubmit={submit} className="filter">
      <TextInput
        label={label}
        placeholder={placeholder}
        value={text}
        error={problem}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={apply}
        autoComplete="off"
        spellCheck={false}
      />
    </form>
  );
}
