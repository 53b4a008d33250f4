import { expect, test } from 'vitest';
import { ConnectionSeal } from '../../../src/calls/connection-seal';
import { CallConnection } from '../../../src/lib/call-connection';

test('a connection opens at a node with the same key, for its own call alone', () => {
  const seal = new ConnectionSeal(Buffer.alloc(32, 1));
  const text = seal.seal({ connection: CallConnection.of({ type: 'bearer', token: 'canary' }), id: 'con_1' }, 'inv_1');

  const opened = new ConnectionSeal(Buffer.alloc(32, 1)).open(text, 'inv_1');
  expect([opened?.id, opened?.connection.frameJson]).toEqual(['con_1', '{"type":"bearer","token":"canary"}']);
  expect(seal.open(text, 'inv_2')).toBeUndefined();
  expect(seal.open('x', 'inv_1')).toBeUndefined();
  expect(new ConnectionSeal(Buffer.alloc(32, 2)).open(text, 'inv_1')).toBeUndefined();
});
