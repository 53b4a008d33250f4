/** A payload being written: a value while a form is filled in, text while JSON is written. Each becomes the other without a loss. */
import type { JsonSchema } from '../../../../../src/protocol/http';
import { isObject } from '../../../../../src/protocol/json-object';
import { stepsOf } from '../../../../../src/service/payload/json-pointer';
import { type FormSchema, toFormSchema } from './form/form-schema';
import { readJson } from './read-json';

/** JSON Pointer -> text of a field for JSON that is not JSON yet. */
type UnfinishedParts = Readonly<Record<string, string>>;

export type Draft = { as: 'form'; value: unknown; unfinished?: UnfinishedParts } | { as: 'json'; text: string };

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
  if (draft.as === 'form') {
    const [pointer] = Object.keys(draft.unfinished ?? {});
    return pointer === undefined ? { value: draft.value ?? {} } : { problem: `${stepsOf(pointer).join('.')} is not JSON yet` };
  }
  const read = readJson(draft.text);
  return 'problem' in read ? read : { value: read.value ?? {} };
}

export function asJson(draft: Draft): Draft {
  if (draft.as === 'json') return draft;
  const parts = Object.entries(draft.unfinished ?? {});
  const value = structuredClone(draft.value ?? {});
  // Each unfinished text stands where its value would, so the person finishes it there.
  const marks = parts.map(([pointer, text]) => ({ mark: crypto.randomUUID(), steps: stepsOf(pointer), text }));
  for (const { mark, steps } of marks) putAt(value, steps, mark);
  const json = JSON.stringify(value, null, 2);
  return { as: 'json', text: marks.reduce((whole, { mark, text }) => whole.replace(`"${mark}"`, () => text), json) };
}

function putAt(root: unknown, steps: readonly string[], value: unknown): void {
  const [first, ...rest] = steps;
  if (first === undefined || typeof root !== 'object' || root === null) return;
  const holder = root as Record<string, unknown>;
  if (rest.length === 0) holder[first] = value;
  else {
    holder[first] ??= {};
    putAt(holder[first], rest, value);
  }
}

/** Records the text of a field that is not JSON yet, or undefined when it is. Leaves a draft in JSON as it is. */
export function withUnfinished(draft: Draft, pointer: string, text: string | undefined): Draft {
  if (draft.as === 'json' || draft.unfinished?.[pointer] === text) return draft;
  const { [pointer]: _, ...others } = draft.unfinished ?? {};
  const unfinished = text === undefined ? others : { ...others, [pointer]: text };
  const { unfinished: _former, ...rest } = draft;
  return Object.keys(unfinished).length === 0 ? rest : { ...rest, unfinished };
}

/** A sentence where the form cannot take over what is written. */
export function asForm(draft: Draft, form: FormSchema): Draft | { problem: string } {
  if ('unfit' in form) return { problem: form.unfit };
  if (draft.as === 'form') return draft;
  const payload = payloadOf(draft);
  if ('problem' in payload) return payload;
  if (!isObject(payload.value)) return { problem: 'A form holds an object: write {…} to fill it in as a form.' };
  return { as: 'form', value: payload.value };
}
