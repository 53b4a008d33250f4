import { expect, test } from 'vitest';
import { appsWords } from '../../../cli/console';

test.for(['http://127.0.0.1:8787', 'http://tools.example.com', 'https://tools.example.com:8443', 'https://localhost'])(
  'at %s hosted clients cannot come, and the line says so',
  (url) =>
    expect(appsWords(url)).toBe(
      `MCP clients connect to ${url}/mcp, each person with their own sign-in; Claude.ai and ChatGPT need a public https address on port 443: --public-url`,
    ),
);

test('at a public https address they can', () => {
  expect(appsWords('https://tools.example.com')).toBe(
    'MCP clients connect to https://tools.example.com/mcp, each person with their own sign-in',
  );
});
