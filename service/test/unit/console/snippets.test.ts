import { execFile, execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { codeBlocks } from '../../../../test/support/markdown';
import { SDK_LANGUAGES, type SdkLanguage, type Snippet } from '../../../src/snippets/snippet';
import { AGENT_SNIPPETS, TOOLKIT_SNIPPETS } from '../../../src/snippets/snippets';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const URL_OF_SERVICE = 'https://tools.example:8443';
const AGENT_KEY = 'svc_agent_0123456789';
const TOOLKIT_KEY = 'svc_toolkit_0123456789';

const SNIPPETS = [
  ...AGENT_SNIPPETS.map((snippet) => ({ ...snippet, key: AGENT_KEY })),
  ...TOOLKIT_SNIPPETS.map((snippet) => ({ ...snippet, key: TOOLKIT_KEY })),
];
const LANGUAGES = Object.keys(SDK_LANGUAGES) as SdkLanguage[];
const inLanguage = (language: Snippet['language']) =>
  SNIPPETS.filter((snippet) => snippet.language === language).map(({ id, code, key }) => ({ id, text: code(URL_OF_SERVICE, key) }));

test.each(SNIPPETS)('the snippet $id holds the address and the key', ({ code, key }) => {
  expect(code(URL_OF_SERVICE, key)).toContain(URL_OF_SERVICE);
  expect(code(URL_OF_SERVICE, key)).toContain(key);
});

test('the snippets in TypeScript compile', () => {
  const programs = new Map(inLanguage('ts').map(({ id, text }) => [`${ROOT}${id}.snippet.ts`, text]));
  expect(programs.size).toBeGreaterThan(0);
  const { options = {} } =
    ts.getParsedCommandLineOfConfigFile(`${ROOT}tsconfig.json`, {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} }) ?? {};
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => programs.has(path) || fileExists(path);
  host.getSourceFile = (path, target, ...rest) => {
    const text = programs.get(path);
    return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target);
  };
  const program = ts.createProgram([...programs.keys()], { ...options, noUnusedParameters: false }, host);
  const mistakes = [...programs.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  expect(ts.formatDiagnostics(mistakes, host)).toBe('');
}, 240_000);

test.each(inLanguage('rs'))('the snippet $id in Rust is a doc test, but for its address, its key and the comments', ({ text }) => {
  const program = text
    .replace(`new("${TOOLKIT_KEY}")\n        .base_url("${URL_OF_SERVICE}")`, 'from_env()')
    .replace(`\n        .base_url("${URL_OF_SERVICE}")\n        .api_key("${AGENT_KEY}")\n        `, '');
  const blocks = codeBlocks('rust/README.md').filter(({ language }) => language.startsWith('rust'));
  expect(blocks.map((block) => `${block.text.replaceAll(/ \/\/ .*/g, '')}\n`)).toContain(program);
});

const PYTHON_PAGES = { agent: 'docs/agent.md' } as Record<string, string>;

test.each(inLanguage('py').filter(({ id }) => id !== 'toolkit'))(
  'the snippet $id in Python is the first program of its page, which the tests of Python run, but for address, key and question',
  ({ id, text }) => {
    const [block] = codeBlocks(PYTHON_PAGES[id] ?? `docs/adapters/${id}.md`).filter(({ language }) => language === 'python');
    const program = text
      .replace(`, base_url="${URL_OF_SERVICE}", api_key="${AGENT_KEY}")`, ')  # SVC_AGENT_API_KEY, SVC_BASE_URL')
      .replace(`base_url="${URL_OF_SERVICE}", api_key="${AGENT_KEY}"`, '')
      .replace('What is the weather in Rome?', 'What time is it in Tokyo?');
    expect(program).toBe(`${block?.text}\n`);
  },
);

test('Python has a snippet for each adapter', () => {
  const adapters = AGENT_SNIPPETS.flatMap(({ sdk, code }) =>
    sdk === 'python' ? (/from svc\.ai\.(\w+) import/.exec(code(URL_OF_SERVICE, AGENT_KEY))?.[1] ?? []) : [],
  );
  const folders = readdirSync(`${ROOT}python/src/svc/ai`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const known = folders.map(({ name }) => name).filter((name) => name !== 'agent_tool' && !name.startsWith('__'));
  expect(adapters.sort()).toEqual(known.sort());
});

test('the links to editors name the service and no key', () => {
  const links = AGENT_SNIPPETS.flatMap(({ links }) => links?.(URL_OF_SERVICE) ?? []);
  expect(links.map(({ label }) => label)).toEqual(['Add to Cursor', 'Add to VS Code']);
  const [cursor, code] = links.map(({ href }) => new URL(href));
  expect(JSON.parse(atob(cursor?.searchParams.get('config') ?? ''))).toEqual({ url: `${URL_OF_SERVICE}/mcp` });
  expect(JSON.parse(decodeURIComponent(code?.search.slice(1) ?? ''))).toEqual({ name: 'svc', type: 'http', url: `${URL_OF_SERVICE}/mcp` });
});

test('the two answers of the snippet for curl are on separate lines', async () => {
  const server = createServer((request, response) => void response.end(JSON.stringify({ path: request.url })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const script = AGENT_SNIPPETS.find(({ id }) => id === 'curl')?.code(`http://127.0.0.1:${port}`, AGENT_KEY) ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  expect(stdout).toBe('{"path":"/v1/search"}\n{"path":"/v1/invoke"}\n');
});

test.each(inLanguage('json'))('the snippet $id is JSON', ({ text }) => {
  expect(JSON.parse(text)).toHaveProperty('mcpServers.svc');
});

test.each(inLanguage('sh'))('the snippet $id is a script', ({ text }) => {
  execFileSync('sh', ['-n'], { input: text });
});

test('the requests of the snippet for curl have bodies that are JSON, also with quotes in them', () => {
  const example = { query: "Today's weather", call: { action: 'weather-2__today', payload: { city: "Val d'Isère" } } };
  const text = AGENT_SNIPPETS.find(({ id }) => id === 'curl')?.code(URL_OF_SERVICE, AGENT_KEY, { example }) ?? '';
  const script = `curl() { for body; do :; done; printf '%s\\n' "$body"; }\n${text}`;
  const bodies = execFileSync('sh', { input: script, encoding: 'utf8' }).trim().split('\n');
  const { query, call } = example;
  expect(bodies.map((body) => JSON.parse(body))).toEqual([{ query }, call]);
});

test('the toolkit is named after its key, for any key name', () => {
  const program = TOOLKIT_SNIPPETS.find(({ id }) => id === 'toolkit');
  const nameIn = (name: string) => /name: (.*), description/.exec(program?.code(URL_OF_SERVICE, TOOLKIT_KEY, { name }) ?? '')?.[1];
  expect(nameIn('maths')).toBe("'Maths'");
  for (const name of ['ada\'s \\ "keys"', '`x`'])
    expect(runInNewContext(nameIn(name) ?? '')).toBe(name.charAt(0).toUpperCase() + name.slice(1));
});

test('the toolkit in Rust is named after its key, as a literal of Rust', () => {
  const program = TOOLKIT_SNIPPETS.find(({ id, sdk }) => id === 'toolkit' && sdk === 'rust');
  expect(program?.code(URL_OF_SERVICE, TOOLKIT_KEY, { name: 'ada\'s \\ "keys"' })).toContain('name: "Ada\'s \\\\ \\"keys\\"".into()');
});

test('the plain loop runs in the folder of the quick start, whose packages are CommonJS', () => {
  const openai = AGENT_SNIPPETS.find(({ id }) => id === 'openai');
  expect(openai).toMatchObject({ run: 'node ask.mts', note: expect.stringContaining('ask.mts') });
});

test.each(LANGUAGES)('the snippet of one paste is the program beside it, in %s', (sdk) => {
  const [paste, program] = TOOLKIT_SNIPPETS.filter((snippet) => snippet.sdk === sdk).map(({ code }) => code(URL_OF_SERVICE, TOOLKIT_KEY));
  expect(paste).toContain(`<<'END'\n${program}END\n`);
});

test.each(LANGUAGES)('each purpose has one snippet in %s', (sdk) => {
  for (const snippets of [TOOLKIT_SNIPPETS, AGENT_SNIPPETS]) {
    const ids = snippets.filter((snippet) => snippet.sdk === undefined || snippet.sdk === sdk).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
  }
});
