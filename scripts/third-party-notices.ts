/**
 * The licences of bundled packages: nearly all of them ask that their notice goes with every copy.
 *
 * Shape:  one section per package and version: name, version, licence, then the text of its licence and notice files.
 * Errors: throws when a package brings no licence text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const RULE = '-'.repeat(80);
const LICENCE_FILE = /^(licen[cs]e|copying|notice)\b/i;

export function noticesOf(folders: Iterable<string>): string {
  const sections = new Map([...folders].map(section));
  return ['svc-sdk contains the software below.', ...[...sections].sort().map(([, each]) => each)].join(`\n\n${RULE}\n`);
}

function section(folder: string): [title: string, text: string] {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) throw new Error(`${folder} has no licence file to bring along`);
  const title = `${name} ${version} (${license})`;
  return [title, [title, ...texts].join('\n\n')];
}
