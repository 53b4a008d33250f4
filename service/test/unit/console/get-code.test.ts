import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { programsOf } from '../../../console/src/pages/playground/get-code';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SETUP = {
  keyId: 'key_1',
  model: { kind: 'own', url: 'http://127.0.0.1:1234/v1/', key: 'sk-secret', model: 'a "quoted" model' },
  system: "Be brief.\nDon't guess.",
  budget: '0.50',
  askBeforeDestructive: true,
  code: true,
  seesImages: true,
} as const;
const programs = programsOf(SETUP, 'Draw "it", and don\'t stop', 'https://tools.example');
const codeOf = (label: string) => programs.find((program) => program.label === label)?.code ?? '';

test('every program has the words and the addresses, and no key', () => {
  for (const { code } of programs) {
    expect(code).toContain('https://tools.example');
    expect(code).toContain('Draw');
    expect(code).not.toContain('sk-secret');
  }
});

test('the program in TypeScript compiles', () => {
  const path = `${ROOT}playground.program.ts`;
  const parsed = ts.getParsedCommandLineOfConfigFile(`${ROOT}tsconfig.json`, {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} });
  const host = ts.createCompilerHost(parsed?.options ?? {});
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, target, ...rest) =>
    name === path ? ts.createSourceFile(name, codeOf('TypeScript'), target) : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([path], parsed?.options ?? {}, host);
  const file = program.getSourceFile(path);
  const mistakes = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  expect(ts.formatDiagnostics(mistakes, host)).toBe('');
}, 120_000);

test('the program in Python is Python, and the one for curl is shell', () => {
  execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: codeOf('Python') });
  execFileSync('sh', ['-n'], { input: codeOf('curl') });
});
