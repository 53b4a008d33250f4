import { Textarea } from '@mantine/core';
import type { FieldProps } from '@rjsf/utils';
import { useEffect, useState } from 'react';
import { below } from '../../../../../../src/payload/json-pointer';
import { readJson } from '../../../../parts/read-json';
import { written } from './written';

/** The form context of the JSON fields. */
export interface JsonFieldContext {
  /** @param text text of the field; undefined when it is valid JSON */
  onUnfinished: (pointer: string, text: string | undefined) => void;
}

/** A JSON field, for a part of the payload that no input can hold. Invalid JSON does not change the value; it is reported to `onUnfinished`. */
export function JsonField({ fieldPathId, formData, name, required, schema, rawErrors, disabled, onChange, registry }: FieldProps) {
  const [text, setText] = useState(() => (formData === undefined ? '' : JSON.stringify(formData, null, 2)));
  const read = readJson(text);
  const errors = [...('problem' in read ? [read.problem] : []), ...(rawErrors ?? [])];
  const { onUnfinished } = registry.formContext as JsonFieldContext;
  const pointer = below('', ...fieldPathId.path);
  const unfinished = 'problem' in read ? text : undefined;
  useEffect(() => {
    onUnfinished(pointer, unfinished);
    return () => onUnfinished(pointer, undefined);
  }, [onUnfinished, pointer, unfinished]);
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
