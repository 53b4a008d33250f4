/** The built types of the adapters, compiled against every older major that they are for; `npm run types` compiles with the newest. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { FRAMEWORKS } from '../../scripts/frameworks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const MAJORS = FRAMEWORKS.flatMap(({ entry, majors }) => majors.map((major) => [major, entry] as const));

test('every older major is compiled', () => {
  const majors = readdirSync(`${root}test/majors`).filter((name) => existsSync(`${root}test/majors/${name}/package.json`));
  expect(MAJORS.map(([major]) => major).sort()).toEqual(majors.sort());
});

test.each(MAJORS)(
  'with %s',
  (major, entry) => {
    const workspace = `${root}test/majors/${major}/package.json`;
    const packages = Object.keys(JSON.parse(readFileSync(workspace, 'utf8')).dependencies);
    const isTheirs = (name: string) => packages.some((dependency) => name === dependency || name.startsWith(`${dependency}/`));

    const config = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
    options.paths = { 'svc-sdk': ['./dist/index.d.ts'], 'svc-sdk/*': ['./dist/*.d.ts'] };
    const host = ts.createCompilerHost(options);
    host.resolveModuleNameLiterals = (names, file) =>
      names.map(({ text }) => {
        const from = isTheirs(text) && !file.includes('node_modules') ? workspace : file;
        return ts.resolveModuleName(text, from, options, host);
      });
    const program = ts.createProgram([`${root}test/types/${entry}.test-d.ts`], options, host);
    const loaded = program
      .getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(`${root}test/majors/${major}/node_modules/${packages[0]}`));
    expect(loaded).not.toEqual([]);
    expect(ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), host)).toBe('');
  },
  60_000,
);
