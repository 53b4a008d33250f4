import { expect, test } from 'vitest';
import { callingKeyOf, keptCaller } from '../../../src/keys/kept-caller';
import { aKey } from '../../contract/store-records';

const KEY = aKey({ id: 'key_1', hash: 'aa', allow: { toolkits: ['weather'], actions: ['maps__route'] } });
const asStored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

test('a kept caller is the same caller later', () => {
  expect(callingKeyOf(KEY, asStored(keptCaller(KEY, undefined)))).toEqual({ key: KEY, callerIds: undefined });
  const person = { ...KEY, personId: 'usr_1' };
  expect(callingKeyOf(KEY, asStored(keptCaller(person, { sessionId: 's1', userId: 'u1' })))).toEqual({
    key: person,
    callerIds: { sessionId: 's1', userId: 'u1' },
  });
});

test('the caller of a token keeps its user, its grant and its allow list, and the present list of the key narrows it', () => {
  const token = { keyId: 'key_1', keyHash: 'aa', expiresAt: 5, allow: { toolkits: [], actions: ['weather__now', 'maps__route'] } };
  const calling = { ...KEY, allow: token.allow, token: { ...token, userId: 'u2', grantId: 'grant_1' } };
  const kept = asStored(keptCaller(calling, undefined));
  const { key } = callingKeyOf({ ...KEY, allow: { toolkits: ['weather'], actions: [] } }, kept);
  expect(key.allow).toEqual({ toolkits: [], actions: ['weather__now'] });
  expect(key.token).toMatchObject({ userId: 'u2', grantId: 'grant_1', keyId: 'key_1' });
});

test('a kept caller has no hash and no time of its token', () => {
  const calling = { ...KEY, token: { keyId: 'key_1', keyHash: 'secret-hash', expiresAt: 12_345, allow: null, userId: undefined } };
  expect(JSON.stringify(keptCaller(calling, undefined))).toBe('{"token":{"allow":null}}');
});
