import { Textarea } from '@mantine/core';
import type { FieldProps } from '@rjsf/utils';
import { useState } from 'react';
import { readJson } from '../read-json';
import { written } from './written';

/** A part of the payload that only JSON can hold. What is no JSON yet changes nothing. */
export function JsonField({ fieldPathId, formData, name, required, schema, rawErrors, disabled, onChange }: FieldProps) {
  const [text, setText] = useState(() => (formData === undefined ? '' : JSON.stringify(formData, null, 2)));
  const read = readJson(text);
  const errors = [...('problem' in read ? [read.problem] : []), ...(rawErrors ?? [])];
  return (
    <Textarea
      id={fieldPathId.$id}
      label={schema.title ?? name}
      description={written([schema.description, 'As JSON.'].filter(Boolean).join('\n'))}
      withAsterisk={required === true}
      disabled={disabled === true}
      error={errors.length > 0 ? errors.join('. ') : undefined}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        const value = readJson(next);
        if ('value' in value) onChange(value.value, fieldPathId.path);
      }}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      classNames={{ input: 'ids' }}
    />
  );
}
