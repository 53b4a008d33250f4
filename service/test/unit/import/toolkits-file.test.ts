import { expect, test } from 'vitest';
import { readToolkitsFile, withVariables } from '../../../import/toolkits-file';

const FILE = `
toolkits:
  files:  { mcp: { command: npx, args: [-y, '@modelcontextprotocol/server-filesystem', ./docs], idleMinutes: 10 } }
  shop:   { mcp: { url: https://mcp.shop.example/mcp, headers: { Authorization: 'Bearer \${SHOP_TOKEN}' } } }
  browser: { mcp: { command: npx, args: [-y, '@playwright/mcp'], one: agent }, exclude: [browser_run_code*] }
  github:
    openapi: { file: github.json, baseUrl: https://api.github.com, auth: { bearer: '\${GITHUB_TOKEN}' }, headers: { X-Version: '2022-11-28' } }
    include: [tag:issues, 'GET /repos/**', repos_*]
    describe: { git_delete-ref: Deletes a branch or tag of a repository }
  stripe: { openapi: { file: stripe.json }, describe: describe/stripe.yaml }
`;

test('MCP servers and OpenAPI documents are read with the choices about them', () => {
  const file = readToolkitsFile(FILE);
  expect(Object.keys(file)).toEqual(['files', 'shop', 'browser', 'github', 'stripe']);
  expect(file.stripe?.describe).toBe('describe/stripe.yaml');
  expect(file.browser).toEqual({ mcp: { command: 'npx', args: ['-y', '@playwright/mcp'], one: 'agent' }, exclude: ['browser_run_code*'] });
});

test('a variable is filled in from the environment, and every missing one is named', () => {
  const { shop, github } = readToolkitsFile(FILE);
  const mcp = { url: 'https://mcp.shop.example/mcp', headers: { Authorization: 'Bearer abc' } };
  expect(withVariables(shop!, { SHOP_TOKEN: 'abc' })).toEqual({ mcp });
  expect(() => withVariables(github!, {})).toThrow(/set GITHUB_TOKEN in the environment/);
});

test('no variable of the service is passed to an imported toolkit', () => {
  const { x } = readToolkitsFile(`toolkits: { x: { mcp: { command: env, env: { KEY: "\${SVC_ADMIN_API_KEY}" } } } }`);
  expect(() => withVariables(x!, { SVC_ADMIN_API_KEY: 'svc_admin_1' })).toThrow(/SVC_ADMIN_API_KEY.*gets no SVC_/);
});

test.each([
  ['toolkits: { x: { mcp: { comand: npx } } }', 'toolkits.x.mcp has no "comand"; did you mean "command"?'],
  ['toolkits: { x: { mcp: { command: npx }, incldue: [a] } }', 'toolkits.x has no "incldue"; did you mean "include"?'],
  [
    'toolkits: { x: { openapi: { file: a.json, auth: { baerer: t } } } }',
    'toolkits.x.openapi.auth has no "baerer"; did you mean "bearer"?',
  ],
  ['toolkits: { x: { mcp: { url: "https://a.example", command: npx } } }', 'toolkits.x.mcp has no "command"; it may have url, headers'],
  ['toolkits: { My Shop: { mcp: { command: npx } } }', 'toolkits.My Shop: no toolkit id; write "my-shop"'],
  ['toolkits: { x: { mcp: { command: npx, idleMinutes: soon } } }', 'toolkits.x.mcp.idleMinutes: Invalid input: expected number'],
  ['toolkits: { x: {} }', 'toolkits.x: give it either mcp or openapi'],
  ['toolkit: {}', 'has no "toolkit"; did you mean "toolkits"?'],
  ['toolkits: [', 'toolkits.yaml:'],
])('%s is refused with its place', (text, message) => {
  expect(() => readToolkitsFile(text)).toThrow(message);
});

test('all errors of a file are reported at once', () => {
  expect(() => readToolkitsFile('toolkits: { x: { mcp: { comand: npx } }, y: { mcp: { command: "" } } }')).toThrow(
    /toolkits\.x.*toolkits\.y/,
  );
});
