/** A payload on its way: as a value while a form is filled in, as text while JSON is written. One becomes the other without a loss. */
import type { JsonSchema } from '../../../../../src/protocol/http';
import { isObject } from '../../../../../src/tools/json';
import { type FormSchema, toFormSchema } from './form/form-schema';
import { readJson } from './read-json';

export type Draft = { as: 'form'; value: unknown } | { as: 'json'; text: string };

export function emptyDraft(schema: JsonSchema): Draft {
  return 'unfit' in toFormSchema(schema) ? { as: 'json', text: '{}' } : { as: 'form', value: {} };
}

/** Filled in with a payload, as a form where that holds it. */
export function draftOf(schema: JsonSchema, payload: unknown): Draft {
  const draft = asJson({ as: 'form', value: payload });
  const inForm = asForm(draft, toFormSchema(schema));
  return 'problem' in inForm ? draft : inForm;
}

/** What would be sent, or why nothing can be. Nothing written is an empty payload. */
export function payloadOf(draft: Draft): { value: unknown } | { problem: string } {
  if (draft.as === 'form') return { value: draft.value ?? {} };
  const read = readJson(draft.text);
  return 'problem' in read ? read : { value: read.value ?? {} };
}

export function asJson(draft: Draft): Draft {
  return draft.as === 'json' ? draft : { as: 'json', text: JSON.stringify(draft.value ?? {}, null, 2) };
}

/** A sentence where the form cannot take over what is written. */
export function asForm(draft: Draft, form: FormSchema): Draft | { problem: string } {
  if ('unfit' in form) return { problem: form.unfit };
  const payload = payloadOf(draft);
  if ('problem' in payload) return payload;
  if (!isObject(payload.value)) return { problem: 'A form holds an object: write {…} to fill it in as a form.' };
  return { as: 'form', value: payload.value };
}
