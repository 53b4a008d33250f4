import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { idempotencyKeyOf } from '../../../src/tools/idempotency-key';

const toolCallId = 'call_9fKq2LmZ7xTb';

test('promise 7, one call runs once: a unique id gives the same key for the same call, for any order of the payload’s keys', async () => {
  const key = await idempotencyKeyOf({
    toolCallId,
    tool: 'invoke_service',
    input: { action: 'a__b', payload: { x: 1, y: [{ p: 1, q: 2 }] } },
  });
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(
    await idempotencyKeyOf({ toolCallId, tool: 'invoke_service', input: { payload: { y: [{ q: 2, p: 1 }], x: 1 }, action: 'a__b' } }),
  ).toBe(key);
});

test('another payload, tool or id gives another key', async () => {
  const keys = await Promise.all([
    idempotencyKeyOf({ toolCallId, tool: 'a__b', input: { x: 1 } }),
    idempotencyKeyOf({ toolCallId, tool: 'a__b', input: { x: '1' } }),
    idempotencyKeyOf({ toolCallId, tool: 'a__c', input: { x: 1 } }),
    idempotencyKeyOf({ toolCallId: 'call_9fKq2LmZ7xTc', tool: 'a__b', input: { x: 1 } }),
    idempotencyKeyOf({ toolCallId, tool: 'a__b', input: JSON.parse('{"x":1,"__proto__":{"y":2}}') }),
  ]);
  expect(new Set(keys).size).toBe(keys.length);
});

test('promise 7: yesterday’s call_0 and today’s never share a key', async () => {
  for (const id of ['call_0', 'functions.get_weather:0', '1', undefined]) {
    const call = { toolCallId: id, tool: 'a__b', input: { city: 'Rome' } };
    expect(await idempotencyKeyOf(call)).not.toBe(await idempotencyKeyOf(call));
  }
});

test('a browser gives the same key as Node', async () => {
  const call = { toolCallId, tool: 'a__b', input: { x: 1 } };
  const inNode = await idempotencyKeyOf(call);
  vi.stubGlobal('process', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(await idempotencyKeyOf(call)).toBe(inNode);
});

test('the edge runtime of Next.js, whose process throws for every function, gives the same key as Node', async () => {
  const call = { toolCallId, tool: 'a__b', input: { x: 1 } };
  const inNode = await idempotencyKeyOf(call);
  const getBuiltinModule = () => {
    throw new Error('A Node.js API is used (process.getBuiltinModule) which is not supported in the Edge Runtime.');
  };
  vi.stubGlobal('process', { env: {}, getBuiltinModule });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(await idempotencyKeyOf(call)).toBe(inNode);
});

test('in a browser without crypto.subtle the key is random', async () => {
  vi.stubGlobal('process', undefined);
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  onTestFinished(() => void vi.unstubAllGlobals());
  const call = { toolCallId, tool: 'a__b', input: {} };
  expect(await idempotencyKeyOf(call)).toMatch(/^[0-9a-f]{32}$/);
  expect(await idempotencyKeyOf(call)).not.toBe(await idempotencyKeyOf(call));
});

test('for any JSON the key depends on the value and not on the order of keys', async () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, part]) => [name, reversed(part)]),
    );
  };
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (input) => {
      const [one, other] = await Promise.all(
        [input, reversed(input)].map((each) => idempotencyKeyOf({ toolCallId, tool: 'a__b', input: each })),
      );
      expect(one).toBe(other);
    }),
  );
});
