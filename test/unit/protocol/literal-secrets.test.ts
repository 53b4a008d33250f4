/** The settings of other programs, the command line and the console find the same secrets in a source. */
import { expect, test } from 'vitest';
import { importerEnvironment } from '../../../service/cli/importer-environment';
import { withoutLiteralSecrets } from '../../../service/cli/imports/without-literal-secrets';
import { readMcpServers } from '../../../service/import/mcp/read-mcp-servers';
import { readToolkitsFile, withVariables } from '../../../service/import/toolkits-file';
import { refuseLiteralSecrets } from '../../../service/src/http/admin/refuse-literal-secrets';

const command = 'node';
const url = 'https://a.example/mcp';

const SECRETS = [
  [{ command, env: { DB_PWD: 'hunter2' } }, 'mcp.env.DB_PWD', 'DB_PWD'],
  [{ command, env: { sessionId: 'hunter2' } }, 'mcp.env.sessionId', 'sessionId'],
  [{ command, env: { DATABASE_URL: 'postgres://me:hunter2@db/shop' } }, 'the password in mcp.env.DATABASE_URL', 'X_PASSWORD'],
  [{ command, args: ['--api-key', 'hunter2'] }, '--api-key in mcp.args', 'X_API_KEY'],
  [{ command, args: ['--auth=hunter2'] }, '--auth in mcp.args', 'X_AUTH'],
  [{ command, args: ['run', '-e', 'GITHUB_TOKEN=hunter2'] }, 'GITHUB_TOKEN in mcp.args', 'X_GITHUB_TOKEN'],
  [{ command, args: [url, '--header', 'Authorization: Bearer hunter2'] }, 'Authorization in mcp.args', 'X_AUTHORIZATION'],
  [{ command, args: ['--header=X-Api-Key: hunter2'] }, 'X-Api-Key in mcp.args', 'X_X_API_KEY'],
  [{ command, args: ['postgres://me:hunter2@db/shop'] }, 'the password in mcp.args', 'X_PASSWORD'],
  [{ url, headers: { Cookie: 'hunter2' } }, 'mcp.headers.Cookie', 'X_COOKIE'],
  [{ url: `${url}?lang=en&accessToken=hunter2` }, '"accessToken" in mcp.url', 'X_ACCESSTOKEN'],
  // No name begins with a digit, so this is a text.
  [{ url, headers: { Authorization: `hunter2 \${1}` } }, 'mcp.headers.Authorization', 'X_AUTHORIZATION'],
] as const;

test.each(SECRETS)('%j has a secret for each of them', (mcp, place, variable) => {
  const { toolkits, variables } = readMcpServers(JSON.stringify({ mcpServers: { x: mcp } }));
  expect({ variables, text: JSON.stringify(toolkits) }).toEqual({ variables: [variable], text: expect.not.stringContaining('hunter2') });
  expect(() => refuseLiteralSecrets(toolkits.x ?? {})).not.toThrow();
  expect(() => refuseLiteralSecrets({ mcp })).toThrow(`${place}: write \${NAME}`);
  expect(() => withoutLiteralSecrets('x', structuredClone(mcp) as Parameters<typeof withoutLiteralSecrets>[1])).toThrow(
    `set ${variable} in`,
  );
});

test.each([
  { command, args: ['--max-tokens', '4096', '--author=Ada', '--keyword', 'tea', '--token', '--verbose', 'sse://localhost:1'] },
  { command, env: { GIT_AUTHOR_NAME: 'Ada', HOST: 'http://localhost:3000', API_KEY: `\${API_KEY}` } },
  { url: `${url}?lang=en`, headers: { 'X-Tenant': 'shop', Authorization: `Bearer \${TOKEN}` } },
])('%j has none for any of them', (mcp) => {
  const { toolkits } = readMcpServers(JSON.stringify({ mcpServers: { x: mcp } }));
  expect(toolkits.x).toEqual({ mcp });
  expect(() => refuseLiteralSecrets({ mcp })).not.toThrow();
});

test.each([
  [{ auth: { bearer: 'hunter2' } }, 'openapi.auth.bearer'],
  [{ auth: { schemes: { shop: 'hunter2' } } }, 'openapi.auth.schemes.shop'],
  [{ headers: { 'X-Secret': 'hunter2' } }, 'openapi.headers.X-Secret'],
  [{ file: 'https://me:hunter2@a.example/openapi.json' }, 'the password in openapi.file'],
  [{ from: 'https://a.example/openapi.json?key=hunter2' }, '"key" in openapi.from'],
])('an OpenAPI entry with %j is refused', (openapi, place) => {
  expect(() => refuseLiteralSecrets({ openapi })).toThrow(`${place}: write`);
});

test('an entry that asks for connections has no secret, but for a password in an address', () => {
  const auth = {
    from: 'user',
    type: 'oauth2',
    authorizationUrl: 'https://a.example/a',
    tokenUrl: 'https://a.example/t',
    help: 'Your account',
  };
  expect(() => refuseLiteralSecrets({ openapi: { file: 'a.json', auth } })).not.toThrow();
  expect(() => refuseLiteralSecrets({ openapi: { file: 'a.json', auth: 'user' } })).not.toThrow();
  const password = { ...auth, tokenUrl: 'https://me:hunter2@a.example/t' };
  expect(() => refuseLiteralSecrets({ openapi: { file: 'a.json', auth: password } })).toThrow('the password in openapi.auth.tokenUrl');
});

test('the environment of imports has each variable that an entry is filled with', () => {
  const file = `toolkits: { x: { mcp: { command: node, args: ["\${PGHOST}", "\${1PG}"] } } }`;
  const env = importerEnvironment({ PGHOST: 'db', PGPASSWORD: 'hunter2', SVC_ADMIN_API_KEY: 'hunter2' }, file);
  expect(env).toEqual({ PGHOST: 'db' });
  expect(withVariables(readToolkitsFile(file).x!, env)).toMatchObject({ mcp: { args: ['db', `\${1PG}`] } });
});
