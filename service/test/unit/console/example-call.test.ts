import { expect, test } from 'vitest';
import type { ActionReport } from '#sdk/protocol/admin';
import type { JsonSchema } from '#sdk/protocol/http';
import { exampleCallOf } from '../../../console/src/pages/start/example-call';

function report(name: string, payloadSchema: JsonSchema, annotations: ActionReport['annotations'] = { readOnly: true }): ActionReport {
  const action = `shop__${name}`;
  return { action, toolkit: 'shop', description: `Does ${name}, and well.`, payloadSchema, annotations, online: true, findings: [] };
}

const object = (properties: JsonSchema): JsonSchema => ({ type: 'object', properties, required: Object.keys(properties) });

test('the first action that changes nothing is called, with as little as it takes', () => {
  const actions = [
    report('refund', object({}), { destructive: true }),
    report('note', object({}), {}),
    report('find', object({ size: { type: 'integer', minimum: 3 }, color: { enum: ['red', 'blue'] }, town: { type: 'string' } })),
  ];
  expect(exampleCallOf(actions)).toEqual({
    query: 'Does find',
    call: { action: 'shop__find', payload: { size: 3, color: 'red', town: 'Rome' } },
  });
});

test('values are plausible: no invented text for unclear names, no extreme number', () => {
  const days = report('days', object({ date: { type: 'string' }, days: { type: 'integer', minimum: -5_000, maximum: 5_000 } }));
  const order = report('order', object({ number: { type: 'string' } }));
  expect(exampleCallOf([order, days])).toMatchObject({ call: { action: 'shop__days', payload: { date: '2026-01-31', days: 1 } } });
  // It can be searched for.
  expect(exampleCallOf([order])).toEqual({ query: 'Does order' });
  expect(exampleCallOf([])).toBeUndefined();
});

test('an action whose payload cannot be made up is passed over', () => {
  const actions = [
    report('a', object({ sku: { type: 'string', pattern: '^[A-Z]{8}$' } })),
    report('b', object({ to: { $ref: '#/nowhere' } })),
    report('c', object({ day: { type: 'string', format: 'date' } })),
  ];
  expect(exampleCallOf(actions)).toMatchObject({ call: { action: 'shop__c', payload: { day: '2026-01-31' } } });
  expect(exampleCallOf(actions.slice(0, 2))?.call).toBeUndefined();
});
