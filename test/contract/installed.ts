/** The installed versions: the newest major of a framework at the root, an older one in a separate workspace, named by `SVC_TEST_MAJOR`. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const major = process.env.SVC_TEST_MAJOR;

/** `ai 7.0.173`. */
export function installed(...packages: string[]): string {
  return packages.map((name) => `${name} ${versionOf(name)}`).join(', ');
}

function versionOf(name: string): string {
  const folders = [...(major ? [`test/majors/${major}/`] : []), ''];
  const files = folders.map((folder) => fileURLToPath(new URL(`../../${folder}node_modules/${name}/package.json`, import.meta.url)));
  const file = files.find((path) => existsSync(path));
  if (!file) throw new Error(`${name} is not installed: run npm ci`);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
