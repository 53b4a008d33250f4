import { expect, test } from 'vitest';
import { HandlerUsers } from '../../../src/hub/handler-users';

const call = { agentId: 'key_1', namedUser: { id: 'ada', ownerId: 'anna' } };
const toolkit = { keyId: 'key_2', toolkitId: 'desk', ownerId: 'ben' };

test('the id of a user is the same at every node that has the secret, and another with another secret, key, toolkit or user', () => {
  const id = new HandlerUsers(Buffer.from('secret')).idOf(call, toolkit);

  expect(new HandlerUsers(Buffer.from('secret')).idOf(call, { ...toolkit, keyId: 'key_3' })).toBe(id);
  const users = new HandlerUsers(Buffer.from('secret'));
  const others = [
    new HandlerUsers(Buffer.from('other')).idOf(call, toolkit),
    users.idOf({ ...call, agentId: 'key_4' }, toolkit),
    users.idOf(call, { ...toolkit, toolkitId: 'shop' }),
    users.idOf({ ...call, namedUser: { id: 'bob', ownerId: 'anna' } }, toolkit),
  ];
  expect(new Set([id, ...others]).size).toBe(5);
});

test('owners are the same when both keys were made beside the console', () => {
  const users = new HandlerUsers(Buffer.from('secret'));
  const operators = { ...call, namedUser: { id: 'ada', ownerId: null } };

  expect(users.idOf(operators, { ...toolkit, ownerId: null })).toBe('ada');
  expect(users.idOf(operators, toolkit)).toMatch(/^usr_/);
});
