import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of a file of the build. */
export function builtFile(name: string): string {
  const path = fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing: run "npm run build" first`);
  return path;
}
