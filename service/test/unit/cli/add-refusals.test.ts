/** Command lines that `svc-service add` refuses: no server starts, and nothing is written. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../../../../test/support/command-in-process';
import { makeFolder } from '../../../../test/support/folder';

const DOCUMENT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://a.example' }],
  paths: {},
});
const SETTINGS = JSON.stringify({ mcpServers: { files: { command: 'node', args: ['never-started.mjs'] } } });
const FILES = {
  'pets.json': DOCUMENT,
  'settings.json': SETTINGS,
  // The encoding of PowerShell.
  'windows.json': Buffer.from(`\ufeff${SETTINGS}`, 'utf16le'),
  'page.html': '<html>Sign in</html>',
  'broken.json': '{"openapi": ',
};

/** Runs in a folder with FILES, which stays unchanged. */
async function refused(args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(path, name), text);
  const { code, stdout, stderr } = await runInProcess(['add', ...args], { cwd: path });
  expect(stdout).toBe('');
  expect(readdirSync(path).sort()).toEqual(Object.keys(FILES).sort());
  return { code, stderr };
}

test.each([
  [['mcp', 'files', '--yes'], /Name the server: a command behind --, such as -- npx/],
  [['mcp', '--yes'], /"" is not a toolkit id/],
  [['mcp', 'My Files', '--yes', '--', 'node'], /"My Files" is not a toolkit id; write "my-files"/],
  [['mcp', 'files', '--yes', '--url', 'http://a.example/mcp', '--', 'node'], /give one of them/],
  [['mcp', 'files', '--yes', '--header', 'A: b', '--', 'node'], /--header is for a server with --url/],
  [['mcp', 'files', '--yes', '--cwd', 'x', '--url', 'http://a.example/mcp'], /--env and --cwd are for a server that is a command/],
  [['mcp', 'files', '--yes', '--env', 'LEVEL', '--', 'node'], /Write --env NAME='\$\{NAME\}'/],
  [['mcp', 'files', '--yes', '--describe', 'read', '--', 'node'], /Write --describe 'name=text'/],
  [['mcp', 'files', '--yes', '--describe', 'a.yaml', '--describe', 'b.yaml', '--', 'node'], /or one file of them as YAML/],
  [['mcp', 'files', '-y', 'node'], /unknown option '-y'/],
  [['mcp', 'files', '--', 'node'], /needs a terminal to ask .*--dry-run.*--yes/],
  [['mcp', 'files', '--from', 'settings.json', '--url', 'http://a.example', '--yes'], /instead of --url/],
  [['mcp', 'other', '--from', 'settings.json', '--yes'], /settings\.json has no server "other"; it has files/],
  [['mcp', 'other', '--from', 'windows.json', '--yes'], /windows\.json has no server "other"; it has files/],
  [['mcp', 'files', '--yes', '--file', 'no/toolkits.yaml', '--', 'node'], /The folder .*\/no does not exist: make it first/],
  [['mcp', 'files', '--yes', '--connection', 'user', '--', 'node'], /--connection is for a server with --url/],
  [
    ['mcp', 'files', '--yes', '--url', 'http://a.example/mcp', '--connection', 'me'],
    /--connection is one of caller, user, agent, everyone/,
  ],
  [['mcp', 'files', '--yes', '--url', 'http://a.example/mcp', '--connection-type', 'bearer'], /--connection-type needs --connection/],
  [['mcp', 'files', '--yes', '--url', 'http://a.example/mcp', '--list-token', `\${X}`], /--list-token needs --connection/],
  [['mcp', 'files', '--from', 'settings.json', '--connection-type', 'bearer', '--yes'], /instead of --connection-type/],
  [
    ['openapi', 'pets', 'pets.json', '--yes', '--connection', 'user', '--connection-type', 'key'],
    /is one of bearer, basic, apiKey, oauth2/,
  ],
  [
    ['openapi', 'pets', 'pets.json', '--yes', '--connection', 'user', '--auth', `bearer \${X}`],
    /--auth .* --connection .*: give one of them/,
  ],
  [['openapi', 'Pets', 'pets.json', '--yes'], /"Pets" is not a toolkit id; write "pets"/],
  [['openapi', 'pets', '--yes'], /missing required argument 'source'/],
  [['openapi', 'pets', 'pets.json', '--yes', '--auth', 'bearer'], /Write --auth 'bearer \$\{NAME\}'/],
  [['openapi', 'pets', 'pets.json', '--yes', '--header', 'X-Version'], /Write --header/],
])('%j is a mistake of the command line', async (args, said) => {
  expect(await refused(args)).toMatchObject({ code: 2, stderr: expect.stringMatching(said) });
});

test.each([
  [['mcp', 'files', '--yes', '--env', 'API_KEY=hunter2', '--', 'node'], /set API_KEY in the environment and write '\$\{API_KEY\}'/],
  [['mcp', 'files', '--yes', '--', 'node', '--token', 'hunter2'], /set FILES_TOKEN .*'\$\{FILES_TOKEN\}' in its place, in single quotes/],
  [['mcp', 'files', '--yes', '--url', 'https://a.example/mcp', '--header', 'Authorization: Bearer hunter2'], /set FILES_AUTHORIZATION/],
  [['mcp', 'files', '--yes', '--url', 'https://a.example/mcp?api_key=hunter2'], /set FILES_API_KEY/],
  [['mcp', 'files', '--yes', '--url', 'https://me:hunter2@a.example/mcp'], /holds no secret, and the URL has a password/],
  [['mcp', 'files', '--yes', '--env', `KEY=\${SVC_ADMIN_API_KEY}`, '--', 'node'], /SVC_… variable, which no imported toolkit gets/],
  [
    ['mcp', 'files', '--yes', '--url', 'https://a.example/mcp', '--connection', 'user', '--list-token', 'hunter2'],
    /set LIST_TOKEN in the environment/,
  ],
  [['openapi', 'pets', 'pets.json', '--yes', '--auth', 'bearer hunter2'], /set PETS_TOKEN .*'\$\{PETS_TOKEN\}'/],
  [['openapi', 'pets', 'pets.json', '--yes', '--header', 'X-Api-Key: hunter2'], /set PETS_X_API_KEY/],
  [['openapi', 'pets', 'https://a.example/pets.json?token=hunter2', '--yes'], /the URL has one: download the document and name the file/],
])('a literal secret is refused and not repeated: %#', async (args, said) => {
  const { code, stderr } = await refused(args);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(said) });
  expect(stderr).not.toContain('hunter2');
});

test.each([
  [['mcp', 'x', '--from', 'nothing.json', '--yes'], /Cannot read nothing\.json: ENOENT/],
  [['mcp', '--from', 'pets.json', '--yes'], /The settings have no MCP servers/],
  [['mcp', '--from', 'page.html', '--yes'], /It is not JSON/],
  [['mcp', 'files', '--yes', '--env', `KEY=\${NOT_SET_HERE}`, '--', 'node'], /set NOT_SET_HERE in the environment/],
  [['mcp', 'files', '--yes', '--', 'no-such-program'], /The MCP server does not start: spawn no-such-program ENOENT/],
  [['mcp', 'files', '--yes', '--url', 'ftp://a.example'], /http/],
  [['openapi', 'pets', 'nothing.json', '--yes'], /The document .*nothing\.json cannot be read: ENOENT/],
  [['openapi', 'pets', 'page.html', '--yes'], /This is not an OpenAPI document/],
  [['openapi', 'pets', 'broken.json', '--yes'], /neither JSON nor YAML/],
  [['openapi', 'pets', 'http://127.0.0.1:1/pets.json', '--yes'], /http:\/\/127\.0\.0\.1:1\/pets\.json cannot be fetched/],
  [['openapi', 'pets', 'pets.json', '--yes', '--connection', 'user'], /no security scheme for a connection; give its type/],
  [['openapi', 'pets', 'pets.json', '--yes', '--auth', `unknown \${PETS_TOKEN}`], /the document has no scheme "unknown"; it has none/],
])('%j fails with the reason', async (args, said) => {
  expect(await refused(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(said) });
});

test('with --json a refusal is one object', async () => {
  const { code, stderr } = await refused(['mcp', 'files', '--json', '--yes']);
  expect({ code, error: JSON.parse(stderr).error.code }).toEqual({ code: 2, error: 'INVALID_REQUEST' });
});
