import { expect, test } from 'vitest';
import { appsWords } from '../../../cli/console';

const LOCAL = 'http://127.0.0.1:8787';
const HOSTED = '; Claude.ai and ChatGPT need a public https address on port 443: --public-url';

test.for(['http://tools.example.com', 'https://tools.example.com:8443', 'https://localhost'])(
  'at the public URL %s hosted clients cannot come, and the line says so',
  (url) => expect(appsWords(LOCAL, url)).toBe(`MCP clients connect to ${url}/mcp, each person with their own sign-in${HOSTED}`),
);

test.for([LOCAL, 'http://[::1]:8787', 'http://localhost:8787'])('at %s the clients of this machine sign in', (url) =>
  expect(appsWords(url, undefined)).toBe(`MCP clients connect to ${url}/mcp, each person with their own sign-in${HOSTED}`),
);

test.for(['https://tools.example.com', 'https://tools.example.com/'])('at the public https address %s they can', (url) => {
  expect(appsWords(LOCAL, url)).toBe('MCP clients connect to https://tools.example.com/mcp, each person with their own sign-in');
});

test('at an address of the network there is no sign-in without a public URL', () => {
  expect(appsWords('http://192.168.1.20:8787', undefined)).toBe(
    'MCP clients connect to http://192.168.1.20:8787/mcp with an agent key; for people to sign in there, start with --public-url',
  );
});
