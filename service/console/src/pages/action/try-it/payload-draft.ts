/** A draft of a payload: a value in the form, text in the JSON editor. Each converts to the other without loss. */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { stepsOf } from '../../../../../src/payload/json-pointer';
import { readJson } from '../../../parts/read-json';
import { type FormSchema, toFormSchema } from './form/form-schema';

/** JSON Pointer -> text of a JSON field that is not valid JSON yet. */
type UnfinishedParts = Readonly<Record<string, string>>;

export type Draft = { as: 'form'; value: unknown; unfinished?: UnfinishedParts } | { as: 'json'; text: string };

export function emptyDraft(schema: JsonSchema): Draft {
  return 'unfit' in toFormSchema(schema) ? { as: 'json', text: '{}' } : { as: 'form', value: {} };
}

/** A draft with a payload, as a form if the form can hold it. */
export function draftOf(schema: JsonSchema, payload: unknown): Draft {
  const draft = asJson({ as: 'form', value: payload });
  const inForm = asForm(draft, toFormSchema(schema));
  return 'problem' in inForm ? draft : inForm;
}

/** The payload to send, or the reason why it cannot be sent. An empty draft is an empty payload. */
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
  // Each unfinished text replaces its value, so that the person can finish it.
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

/** Stores the text of a field that is not valid JSON yet; undefined if it is valid. Does not change a draft in JSON. */
export function withUnfinished(draft: Draft, pointer: string, text: string | undefined): Draft {
  if (draft.as === 'json' || draft.unfinished?.[pointer] === text) return draft;
  const { [pointer]: _, ...others } = draft.unfinished ?? {};
  const unfinished = text === undefined ? others : { ...others, [pointer]: text };
  const { unfinished: _former, ...rest } = draft;
  return Object.keys(unfinished).length === 0 ? rest : { ...rest, unfinished };
}

/** The reason why the form cannot hold the draft. */
export function asForm(draft: Draft, form: FormSchema): Draft | { problem: string } {
  if ('unfit' in form) return { problem: form.unfit };
  if (draft.as === 'form') return draft;
  const payload = payloadOf(draft);
  if ('problem' in payload) return payload;
  if (!isObject(payload.value)) return { problem: 'A form holds an object: write {…} to fill it in as a form.' };
  return { as: 'form', value: payload.value };
}
