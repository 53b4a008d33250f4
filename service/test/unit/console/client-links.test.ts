import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { connectSearch } from '../../../console/src/pages/connect/connect-search';
import { type Reach, reachOf } from '../../../console/src/pages/connect/reach';
import { claudeCommand, codexCommand, cursorLink, mcpServerOf, vsCodeLink } from '../../../src/snippets/client-links';

const URL_OF_SERVICE = 'https://tools.example.com';
const WHOLE = { name: 'svc', url: 'https://tools.example.com/mcp' };
const OF_TOOLKIT = { name: 'svc-weather', url: 'https://tools.example.com/mcp?staticToolkits=weather' };

test('a toolkit has a server of its own, whose actions are tools', () => {
  expect(mcpServerOf(URL_OF_SERVICE)).toEqual(WHOLE);
  expect(mcpServerOf(URL_OF_SERVICE, 'weather')).toEqual(OF_TOOLKIT);
});

test.each([WHOLE, OF_TOOLKIT])('the links of $name hold its name and address as the editors read them', (server) => {
  const cursor = new URL(cursorLink(server));
  expect(cursor.href.split('?')[0]).toBe('cursor://anysphere.cursor-deeplink/mcp/install');
  expect(cursor.searchParams.get('name')).toBe(server.name);
  expect(JSON.parse(Buffer.from(cursor.searchParams.get('config') ?? '', 'base64').toString())).toEqual({ url: server.url });
  for (const scheme of ['vscode', 'vscode-insiders'] as const) {
    const [address, query = ''] = vsCodeLink(server, scheme).split('?');
    expect(address).toBe(`${scheme}:mcp/install`);
    expect(JSON.parse(decodeURIComponent(query))).toEqual({ ...server, type: 'http' });
  }
});

test.each([WHOLE, OF_TOOLKIT])('a shell passes on the address of $name as it is', (server) => {
  const argumentsOf = (command: string) =>
    execFileSync('sh', ['-c', `run() { printf '%s\\n' "$@"; }; run ${command}`], { encoding: 'utf8' })
      .trim()
      .split('\n');
  expect(argumentsOf(claudeCommand(server))).toEqual(['claude', 'mcp', 'add', '--transport', 'http', server.name, server.url]);
  expect(argumentsOf(codexCommand(server))).toEqual(['codex', 'mcp', 'add', server.name, '--url', server.url]);
});

test('a link to the page brings no command of its own into those that people copy', () => {
  expect(connectSearch({ staticToolkits: 'weather-2' })).toEqual({ staticToolkits: 'weather-2' });
  for (const staticToolkits of ['x; touch /tmp/x', '$(id)', '`id`', 'x\ny', '--help', '', 'a,b', 7, ['weather']])
    expect(connectSearch({ staticToolkits })).toEqual({});
});

test.each<[string, Reach]>([
  ['https://tools.example.com', 'everywhere'],
  ['https://tools.example.com:8443', 'this network'],
  ['http://tools.example.com', 'this network'],
  ['https://192.168.1.20', 'this network'],
  ['https://172.31.0.1', 'this network'],
  ['https://172.32.0.1', 'everywhere'],
  ['https://tools.internal', 'this network'],
  ['https://tools', 'this network'],
  ['https://[fd00::1]', 'this network'],
  ['http://localhost:8787', 'this computer'],
  ['http://127.0.0.1:8787', 'this computer'],
  ['http://[::1]:8787', 'this computer'],
])('%s is reached from: %s', (url, reach) => {
  expect(reachOf(url)).toBe(reach);
});
