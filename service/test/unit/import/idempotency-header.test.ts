import { expect, test } from 'vitest';
import { idempotencyValue } from '../../../import/openapi/idempotency-header';

test('a call that is sent again has the same value; another key, and another agent with the same key, have others', () => {
  const value = (agentId: string, idempotencyKey: string) => idempotencyValue({ agentId, idempotencyKey });
  const values = [value('agent_1', 'order-7'), value('agent_1', 'order-8'), value('agent_2', 'order-7')];
  expect(value('agent_1', 'order-7')).toBe(values[0]);
  expect(new Set(values).size).toBe(3);
  expect(values.join()).not.toContain('order');
});
