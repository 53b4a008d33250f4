import { expect, test } from 'vitest';
import { toFormSchema } from '../../../console/src/pages/action/try-it/form/form-schema';
import { asForm, asJson, draftOf, emptyDraft, payloadOf, withUnfinished } from '../../../console/src/pages/action/try-it/payload-draft';

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const form = toFormSchema(schema);

test('from form to JSON and back no value is lost, also values that the form does not show', () => {
  const draft = { as: 'form', value: { city: 'Bern', extra: { deep: [1] } } } as const;
  expect(asForm(asJson(draft), form)).toEqual(draft);
});

test('a draft that is not JSON yet is neither sent nor used by the form', () => {
  const draft = { as: 'json', text: '{"city":' } as const;
  expect(payloadOf(draft)).toHaveProperty('problem');
  expect(asForm(draft, form)).toHaveProperty('problem');
});

test('a draft with a part that is not JSON yet is not sent, and keeps the part as it was written', () => {
  const draft = withUnfinished({ as: 'form', value: { city: 'Bern' } }, '/payment/card~1id', '{kind: card}');
  expect(payloadOf(draft)).toEqual({ problem: 'payment.card/id is not JSON yet' });
  expect(asJson(draft)).toMatchObject({ text: expect.stringMatching(/"city": "Bern",\s+"payment": \{\s+"card\/id": \{kind: card\}/) });
  expect(withUnfinished(draft, '/payment/card~1id', undefined)).toEqual({ as: 'form', value: { city: 'Bern' } });
  const json = { as: 'json', text: '{}' } as const;
  expect(withUnfinished(json, '/payment', 'x')).toBe(json);
});

test('a list or a text is JSON that no form holds, and is sent as it is', () => {
  const draft = { as: 'json', text: '[1]' } as const;
  expect(payloadOf(draft)).toEqual({ value: [1] });
  expect(asForm(draft, form)).toHaveProperty('problem');
});

test('nothing written is an empty payload', () => {
  expect(payloadOf({ as: 'json', text: ' ' })).toEqual({ value: {} });
  expect(emptyDraft(schema)).toEqual({ as: 'form', value: {} });
  expect(emptyDraft({ type: 'object' })).toEqual({ as: 'json', text: '{}' });
});

test('the payload of a former call is filled into the form, and one that no form holds is JSON', () => {
  expect(draftOf(schema, { city: 'Bern' })).toEqual({ as: 'form', value: { city: 'Bern' } });
  expect(draftOf(schema, ['Bern'])).toEqual({ as: 'json', text: '[\n  "Bern"\n]' });
});
