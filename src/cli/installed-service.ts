/** The installed package `svc-service`. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The file of its command, as the working folder has it, or else beside this package. Undefined where it is not installed. */
export function installedServiceCommand(): string | undefined {
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
