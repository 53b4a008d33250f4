import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @param path of a file of the build, from the root of the repository */
export function builtFile(path: string): string {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first`);
  return file;
}
