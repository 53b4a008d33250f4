/** Compares the pages with the code: options, codes, limits, links and commands. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked } from 'marked';
import { DEFAULT_LIMITS } from 'svc-service';
import ts from 'typescript';
import { describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { FRAMEWORKS, versionsTable, waitsTable } from '../../scripts/frameworks.ts';
import { ERRORS } from '../../src/protocol/errors';
import { JEST, NEXT, RUNTIMES, WORKERD } from '../package/runtimes';
import { makeFolder } from '../support/folder';
import { codeBlocks, readPage, tableRows } from '../support/markdown';
import { startProcess } from '../support/processes';
import { sectionsOf } from '../support/sections';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCS = readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => `docs/${path}`);
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'examples/README.md', 'bench/README.md', ...DOCS];

/** The TypeScript of a page is one program, compiled against the source as strictly as the source itself. */
test('the TypeScript of docs/ compiles', () => {
  const programs = new Map<string, string>(
    DOCS.flatMap((page) => {
      const blocks = codeBlocks(page).filter(({ language }) => language === 'ts');
      return blocks.length === 0 ? [] : [[`${ROOT}${page}.ts`, blocks.map(({ text }) => text).join('\n')] as const];
    }),
  );
  const pages = [
    'tools',
    'toolkit',
    'service',
    'errors',
    'adapters',
    ...FRAMEWORKS.flatMap(({ entry }) => (entry === 'mcp' ? [] : [`adapters/${entry}`])),
  ];
  expect([...programs.keys()].map((path) => path.slice(ROOT.length))).toEqual(
    expect.arrayContaining(pages.map((name) => `docs/${name}.md.ts`)),
  );
  const { options = {} } =
    ts.getParsedCommandLineOfConfigFile(`${ROOT}tsconfig.json`, { noUnusedLocals: false, noUnusedParameters: false }, hostOfConfig()) ?? {};
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => programs.has(path) || fileExists(path);
  host.getSourceFile = (path, target, ...rest) => {
    const text = programs.get(path);
    return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target);
  };
  const program = ts.createProgram([...programs.keys()], options, host);
  const mistakes = [...programs.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  expect(ts.formatDiagnostics(mistakes, host)).toBe('');
}, 300_000);

function hostOfConfig(): ts.ParseConfigFileHost {
  const onUnRecoverableConfigFileDiagnostic = ({ messageText }: ts.Diagnostic) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  return { ...ts.sys, onUnRecoverableConfigFileDiagnostic };
}

test('docs/adapters.md has the versions that are tested', () => {
  expect(readPage('docs/adapters.md')).toContain(`<!-- versions -->\n${versionsTable()}\n<!-- /versions -->`);
  expect(readPage('docs/adapters.md')).toContain(`<!-- waits -->\n${waitsTable()}\n`);
});

test('docs/runtimes.md has the versions that are tested', () => {
  const told = tableRows('docs/runtimes.md').map(([, version = '']) => version.split(' ').at(-1));
  const tested = [...RUNTIMES.map(({ package: name }) => name), WORKERD, NEXT[0], NEXT[0], JEST];
  expect(told).toEqual(tested.map((name) => name.split('@').at(-1)));
});

const HEADINGS = ['Install', 'Use', 'Static actions', 'Errors', 'Cancel', 'Approval', 'Progress', 'Payments', 'Versions tested'];

test.each(DOCS.filter((page) => page.startsWith('docs/adapters/')))('%s has the headings of its siblings, in their order', (page) => {
  const told = [...readPage(page).matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  // Only some providers run programs, two have a built-in search, and some adapters report the tokens of the model.
  const expected = ['Programs', 'Tool search', 'Tokens', ...HEADINGS].filter((heading) => told.includes(heading));
  expect(new Set(told)).toEqual(new Set([...expected, ...HEADINGS]));
  expect(told.filter((heading) => HEADINGS.includes(heading))).toEqual(HEADINGS);
});

test('docs/errors.md has every code with its HTTP status and whether a retry helps', () => {
  const told = tableRows('docs/errors.md').flatMap(([cell = '', status = '', retry = '']) => {
    const [, code] = /^`([A-Z_]+)`$/.exec(cell) ?? [];
    return code === undefined ? [] : [[code, status === '–' ? 0 : Number(status), retry.startsWith('yes')]];
  });
  const real = Object.entries(ERRORS).map(([code, { status, retryable }]) => [code, status, retryable]);
  expect(told.sort()).toEqual(real.sort());
});

test('docs/limits.md has every limit with its default', () => {
  const told = tableRows('docs/limits.md').map(([name = '', value = '']) => [name.replaceAll('`', ''), toNumber(value)]);
  expect(told).toEqual(Object.entries(DEFAULT_LIMITS));
});

const UNITS: Record<string, number> = { KiB: 1024, MiB: 1024 ** 2, s: 1000, min: 60_000, h: 3_600_000 };

/** `2 MiB`, `24 h`, `1,000`. */
function toNumber(text: string): number {
  const [amount = '', unit] = text.split(' ');
  return Number(amount.replaceAll(',', '')) * (unit === undefined ? 1 : (UNITS[unit] ?? Number.NaN));
}

test('the commands about keys in docs/service.md work one after the other', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const block = codeBlocks('docs/service.md').find(({ under, language }) => under === 'Keys' && language === 'sh')?.text ?? '';
  const commands = block.replaceAll('npx svc-service', `"${process.execPath}" "${ROOT}service/dist/cli.js"`).split(/(?<!\\)\n/);
  expect(commands).toHaveLength(6);
  let id = '';
  for (const command of commands) {
    const { code, stderr } = await startProcess('sh', ['-c', command.replace('key_…', id)], { cwd: folder.path }).ended;
    expect({ command, code, stderr }).toMatchObject({ code: 0 });
    id = /key_\w+/.exec(stderr)?.[0] ?? id;
  }
});

describe.each(PAGES)('%s', (page) => {
  test('names only scripts that exist', () => {
    const named = [...readPage(page).matchAll(/\bnpm run (?:-s )?([\w:]+)/g)].map(([, name]) => name);
    expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(named));
  });

  test('links to nothing that is missing', () => {
    const links: string[] = [];
    marked.walkTokens(marked.lexer(readPage(page)), (token) => {
      if ((token.type === 'link' || token.type === 'image') && !/^[a-z]+:/.test(token.href)) links.push(token.href);
      if (token.type === 'html') links.push(...[...token.text.matchAll(/\bsrc(?:set)?="([^"]+)"/g)].map(([, path]) => path));
    });
    const missing = links.filter((link) => {
      const [path = '', section] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      return !existsSync(join(ROOT, target)) || (section !== undefined && !sectionsOf(target).includes(section));
    });
    expect(missing).toEqual([]);
  });
});
