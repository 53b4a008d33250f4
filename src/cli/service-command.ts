/** The commands that are of the package `svc-service`, and its program. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The first words of the commands of `svc-service`. */
export const SERVICE_COMMANDS: readonly string[] = [
  'demo',
  'serve',
  'run',
  'dev',
  'keys',
  'people',
  'evidence',
  'backup',
  'export',
  'import',
  'migrate',
  'lint',
  'add',
  'logs',
  'ledger',
];
/** `toolkits list` needs only a key. */
const IMPORTED_TOOLKITS = ['check', 'update', 'approve'];

export function isServiceCommand([word = '', second = '']: readonly string[]): boolean {
  return SERVICE_COMMANDS.includes(word) || (word === 'toolkits' && IMPORTED_TOOLKITS.includes(second));
}

/** The program of `svc-service` as the working folder has it, or else beside this package. Undefined where it is not installed. */
export function findServiceCommand(): string | undefined {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      const file = createRequire(from).resolve('svc-service/package.json');
      const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { bin: Record<string, string> };
      return join(dirname(file), bin['svc-service'] ?? '');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}

/** Repeats no argument: one may be a secret. */
export function serviceCommandLine([word, second]: readonly string[]): string {
  const command = word === 'toolkits' ? `${word} ${second}` : word;
  return `"${command}" is a command of the package svc-service; run: npx svc-service ${command}`;
}
