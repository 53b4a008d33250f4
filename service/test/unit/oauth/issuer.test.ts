import { expect, test } from 'vitest';
import { issuerOf } from '../../../src/oauth/issuer';
import { requireOwnResource } from '../../../src/oauth/resources';

test.for([
  ['http://127.0.0.1:8787', undefined, 'http://127.0.0.1:8787'],
  ['http://localhost:8787', undefined, 'http://localhost:8787'],
  ['http://[::1]:8787', undefined, 'http://[::1]:8787'],
  ['http://tools.example.com', undefined, undefined],
  ['http://192.168.1.2:8787', undefined, undefined],
  ['http://127.0.0.1:8787', 'https://tools.example.com', 'https://tools.example.com'],
] as const)('at %s with the public URL %s the issuer is %s', ([origin, publicUrl, issuer]) =>
  expect(issuerOf(origin, publicUrl)).toBe(issuer),
);

test.for([
  ['', true],
  ['https://tools.example.com/mcp', true],
  ['https://tools.example.com/mcp/', true],
  ['https://tools.example.com', true],
  ['https://tools.example.com/', true],
  ['https://tools.example.com/mcp?staticToolkits=shop', true],
  ['http://127.0.0.1:8787/mcp', true],
  ['https://tools.example.com/v1', false],
  ['https://tools.example.com/mcp/../v1', false],
  ['https://tools.example.com.evil.example/mcp', false],
  ['https://tools.example.com@evil.example/mcp', false],
  ['https://user@tools.example.com/mcp', false],
  ['http://tools.example.com/mcp', false],
  ['https://other.example/mcp', false],
  ['https://tools.example.com/mcp#x', false],
  ['mcp', false],
] as const)('a token for %j: %s', ([resource, good]) => {
  const parameters = new URLSearchParams(resource === '' ? {} : { resource });
  const check = () => requireOwnResource(parameters, ['https://tools.example.com', 'http://127.0.0.1:8787']);
  if (good) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: 'invalid_target' }));
});
