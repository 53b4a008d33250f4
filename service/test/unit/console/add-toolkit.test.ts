import { expect, test } from 'vitest';
import { addCommandOf, yamlOf } from '../../../console/src/pages/add-toolkit/source-texts';
import { checkSource, EMPTY_SOURCE, entryOf, type SourceValues } from '../../../console/src/pages/add-toolkit/source-values';

const API: SourceValues = { ...EMPTY_SOURCE, kind: 'openapi-url', id: 'shop', url: 'https://shop.example/openapi.json' };
const SERVER: SourceValues = { ...EMPTY_SOURCE, kind: 'mcp-url', id: 'linear', url: 'https://mcp.linear.app/mcp' };

test('calls of an API act with the account of their user, in place of a credential of the operator', () => {
  const values: SourceValues = { ...API, account: 'user', auth: 'bearer', credential: 'left over' };
  expect(entryOf(values)).toEqual({ openapi: { file: 'https://shop.example/openapi.json', auth: 'user' } });
  expect(checkSource(values).credential).toBeNull();
  expect(addCommandOf(values)).toBe('npx svc-service add openapi shop https://shop.example/openapi.json --connection user');
});

test('calls of an MCP server by URL act with a connection, and those of a command with none', () => {
  expect(yamlOf({ ...SERVER, account: 'everyone' })).toBe(
    'toolkits:\n  linear:\n    mcp:\n      url: "https://mcp.linear.app/mcp"\n      auth: "everyone"',
  );
  expect(addCommandOf({ ...SERVER, account: 'everyone' })).toBe(
    'npx svc-service add mcp linear --url https://mcp.linear.app/mcp --connection everyone',
  );
  const command: SourceValues = { ...SERVER, kind: 'mcp-command', command: 'node server.mjs', account: 'user' };
  expect(entryOf(command)).toEqual({ mcp: { command: 'node', args: ['server.mjs'] } });
});

test('a credential of the operator is a variable, and goes with every call', () => {
  const values: SourceValues = { ...API, auth: 'bearer', credential: `\${SHOP_TOKEN}` };
  expect(entryOf(values)).toEqual({ openapi: { file: 'https://shop.example/openapi.json', auth: { bearer: `\${SHOP_TOKEN}` } } });
  expect(checkSource({ ...values, credential: 'hunter2' }).credential).toMatch(/^Write .* and set NAME/);
});
