import { expect, test } from 'vitest';
import { reviewText } from '../../../src/catalog/review/review-text';
import type { ActionRecord } from '../../../src/store/store';

const toolkit = { id: 'shop', name: 'Shop', description: 'Tea', createdAt: 0 };
const pay: ActionRecord = { toolkitId: 'shop', name: 'pay', description: 'Pays', payloadSchema: { type: 'object' }, annotations: {} };
const FREE =
  '{"action":"shop__pay","annotations":{},"description":"Pays","payloadSchema":{"type":"object"},"toolkit":{"description":"Tea","name":"Shop"}}';

test('an approval of a free action stays: its text has no price', () => {
  expect(reviewText(toolkit, pay)).toBe(FREE);
});

test('an owner approves a price, and every other price is another text', () => {
  const priced = (amount: string) => reviewText(toolkit, { ...pay, payment: { amount, currency: 'USD' } });
  expect(JSON.parse(priced('0.05'))).toEqual({ ...JSON.parse(FREE), payment: { amount: '0.05', currency: 'USD' } });
  expect(priced('0.06')).not.toBe(priced('0.05'));
});
