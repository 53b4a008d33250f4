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
  stripe: { openapi: { file: stripe.json }, describe: describe/stripe.yaml, long: [export_*] }
`;

test('MCP servers and OpenAPI documents are read with the choices about them', () => {
  const file = readToolkitsFile(FILE);
  expect(Object.keys(file)).toEqual(['files', 'shop', 'browser', 'github', 'stripe']);
  expect(file.stripe).toMatchObject({ describe: 'describe/stripe.yaml', long: ['export_*'] });
  expect(file.browser).toEqual({ mcp: { command: 'npx', args: ['-y', '@playwright/mcp'], one: 'agent' }, exclude: ['browser_run_code*'] });
});

test('a variable is filled in from the environment, and every missing one is named', () => {
  const { shop, github } = readToolkitsFile(FILE);
  const mcp = { url: 'https://mcp.shop.example/mcp', headers: { Authorization: 'Bearer abc' } };
  expect(withVariables(shop!, { SHOP_TOKEN: 'abc' })).toEqual({ mcp });
  expect(() => withVariables(github!, {})).toThrow(/set GITHUB_TOKEN in the environment/);
});

test('whose connection each call has is read in its short and its long form', () => {
  const long = { from: 'user', type: 'oauth2', authorizationUrl: 'https://a.example/a', tokenUrl: 'https://a.example/t', scopes: ['x'] };
  const account = { url: 'https://api.example/me', field: '/login' };
  const { pets, shop, maps } = readToolkitsFile(`
toolkits:
  pets: { openapi: { file: pets.json, auth: user } }
  shop: { mcp: { url: https://mcp.shop.example/mcp, auth: everyone } }
  maps:
    openapi:
      file: maps.json
      auth: ${JSON.stringify({ ...long, account, help: 'Your account', scheme: 'token' })}`);
  expect(pets).toEqual({ openapi: { file: 'pets.json', auth: 'user' } });
  expect(shop).toEqual({ mcp: { url: 'https://mcp.shop.example/mcp', auth: 'everyone' } });
  expect(maps).toEqual({ openapi: { file: 'maps.json', auth: { ...long, account, help: 'Your account', scheme: 'token' } } });
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
  [
    'toolkits: { x: { openapi: { file: a.json, auth: users } } }',
    'toolkits.x.openapi.auth: Invalid option: expected one of "caller"|"user"',
  ],
  ['toolkits: { x: { openapi: { file: a.json, auth: { from: user, hlep: t } } } }', 'openapi.auth has no "hlep"; did you mean "help"?'],
  ['toolkits: { x: { openapi: { file: a.json, auth: { from: user, bearer: t } } } }', 'toolkits.x.openapi.auth has no "bearer"'],
  ['toolkits: { x: { mcp: { url: "https://a.example", auth: { bearer: t } } } }', 'toolkits.x.mcp.auth has no "bearer"'],
  ['toolkits: { x: { mcp: { url: "https://a.example", auth: { type: bearer } } } }', 'toolkits.x.mcp.auth.from: Invalid option'],
  ['toolkits: { x: { mcp: { command: npx, auth: user } } }', 'toolkits.x.mcp has no "auth"'],
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
