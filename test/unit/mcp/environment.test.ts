import { expect, test } from 'vitest';
import { readCaller, readConnections, readMaxPayment, readSelection } from '../../../src/mcp/environment';

const flag = (text: string) => readSelection({ SVC_DYNAMIC_TOOLS: text }).dynamicTools;

test('a flag is spelled true, 1, yes or on, and false, 0, no or off, in any case', () => {
  expect(['true', '1', 'yes', 'on', 'True', 'YES', ' On '].map(flag)).toEqual(Array(7).fill(true));
  expect(['false', '0', 'no', 'off', 'False', 'NO', ' oFF '].map(flag)).toEqual(Array(7).fill(false));
});

test('a flag with another spelling is an error that names it', () => {
  for (const text of ['maybe', 'y', '2', 'true,'])
    expect(() => flag(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', message: `SVC_DYNAMIC_TOOLS is ${JSON.stringify(text)}: write true or false` }),
    );
});

test('blank items of a list are ignored, and spaces around the others', () => {
  expect(readSelection({ SVC_STATIC_TOOLKITS: ' weather,, shop ,', SVC_STATIC_ACTIONS: '\n' })).toEqual({
    dynamicTools: true,
    staticToolkits: ['weather', 'shop'],
    staticActions: [],
  });
});

test('empty variables are as absent ones', () => {
  const empty = { SVC_DYNAMIC_TOOLS: '', SVC_STATIC_TOOLKITS: '', SVC_STATIC_ACTIONS: ' ' };
  expect(readSelection(empty)).toEqual(readSelection({}));
});

test('SVC_MAX_PAYMENT is an amount; an empty one is as an absent one', () => {
  expect([' 0.05 ', '0', '', ' '].map((SVC_MAX_PAYMENT) => readMaxPayment({ SVC_MAX_PAYMENT }))).toEqual([
    '0.05',
    '0',
    undefined,
    undefined,
  ]);
  expect(readMaxPayment({})).toBeUndefined();
  for (const SVC_MAX_PAYMENT of ['5 USD', '-1', '1e3', '0,05', '0.0000001', '1000000000000'])
    expect(() => readMaxPayment({ SVC_MAX_PAYMENT })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringMatching(/^SVC_MAX_PAYMENT must be a decimal text/) }),
    );
});

test('SVC_USER_ID and SVC_SESSION_ID are ids that a header can carry; empty ones are as absent ones', () => {
  expect(readCaller({ SVC_USER_ID: ' ada@example.com ', SVC_SESSION_ID: 'chat/7' })).toEqual({
    userId: 'ada@example.com',
    sessionId: 'chat/7',
  });
  expect(readCaller({ SVC_USER_ID: '', SVC_SESSION_ID: ' ' })).toEqual(readCaller({}));
  for (const SVC_SESSION_ID of ['two words', 'ä', 'x'.repeat(201)])
    expect(() => readCaller({ SVC_SESSION_ID })).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        message: expect.stringMatching(/^SVC_SESSION_ID must be 1 to 200 visible ASCII/),
      }),
    );
});

test('SVC_CONNECTIONS has credentials, and SVC_CONNECTION_NAMES the chosen connections; empty ones are as absent ones', () => {
  const { connections, connectionNames } = readConnections({
    SVC_CONNECTIONS: ' github Bearer gho_1, shop Basic YWRhOnB3 ',
    SVC_CONNECTION_NAMES: 'maps work\n',
  });
  expect(['github', 'shop', 'maps'].map((toolkit) => connections?.(toolkit, undefined))).toEqual([
    { bearer: 'gho_1' },
    { basic: { username: 'ada', password: 'pw' } },
    undefined,
  ]);
  expect(connectionNames).toEqual({ maps: 'work' });
  expect(readConnections({ SVC_CONNECTIONS: '', SVC_CONNECTION_NAMES: ' ' })).toEqual(readConnections({}));
});

test.each(['SVC_CONNECTIONS', 'SVC_CONNECTION_NAMES'])('a %s that is not understood is an error without its text', (name) => {
  for (const text of ['canary', 'github canary extra word', 'github Bearer canary\u00e9', `github Bearer ${'canary'.repeat(2_000)}`])
    expect(() => readConnections({ [name]: text })).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        message: expect.stringMatching(new RegExp(`^${name} is not understood: write it as github (?!.*canary)`)),
      }),
    );
});
