import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asReplayed, responseJson } from '../../../src/calls/response-json';

const parts = { invocationId: 'inv_1', repaired: [], maxResultBytes: 1_000 };

test('a result is in the answer as its process wrote it', () => {
  expect(responseJson({ ...parts, resultJson: '{"a": 1.0}' })).toBe('{"invocationId":"inv_1","result":{"a": 1.0}}');
  expect(responseJson({ ...parts, resultJson: 'null', repaired: ['payload was text'] })).toBe(
    '{"invocationId":"inv_1","result":null,"repaired":["payload was text"]}',
  );
});

test('a cut result is valid JSON within the limit, never half a character', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 50 }), (value, maxResultBytes) => {
      const resultJson = JSON.stringify(value);
      const response = JSON.parse(responseJson({ ...parts, resultJson, maxResultBytes }));
      if (Buffer.byteLength(resultJson) <= maxResultBytes) {
        expect(response.result).toEqual(JSON.parse(resultJson));
        return;
      }
      expect(response.cut.totalBytes).toBe(Buffer.byteLength(resultJson));
      expect(Buffer.byteLength(response.result)).toBeLessThanOrEqual(maxResultBytes);
      const whole = typeof value === 'string' ? value.toWellFormed() : resultJson;
      expect(whole.startsWith(response.result)).toBe(true);
    }),
  );
});

test('an answer is marked as replayed once', () => {
  const once = asReplayed('{"invocationId":"inv_1","result":1}');
  expect(JSON.parse(once)).toEqual({ invocationId: 'inv_1', result: 1, replayed: true });
  expect(asReplayed(once)).toBe(once);
});
