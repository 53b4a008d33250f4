/**
 * `npm run confusables -- confusables.txt`: writes `service/src/catalog/names/confusables.ts` from the file of UTS 39, which is at
 * https://www.unicode.org/Public/security/latest/confusables.txt. Run it for a new version of Unicode.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withoutMarks } from '../service/src/catalog/names/without-marks.ts';

const TARGET = new URL('../service/src/catalog/names/confusables.ts', import.meta.url);
const ROW = /^([0-9A-F]+) ;\t([0-9A-F ]+);/;
const LATIN = /^[A-Za-z0-9]+$/;

const [file = 'confusables.txt'] = process.argv.slice(2);
const lines = readFileSync(file, 'utf8').split('\n');
const version = lines.map((line) => /^# Version: (\S+)/.exec(line)?.[1]).find((found) => found !== undefined);
const rows = new Map<string, number[]>();
for (const line of lines) {
  const [, source = '', prototype = ''] = ROW.exec(line) ?? [];
  if (source === '') continue;
  const character = fromCodePoints(source);
  const like = withoutMarks(fromCodePoints(prototype));
  if (LATIN.test(like) && withoutMarks(character) === character) rows.set(like, [...(rows.get(like) ?? []), Number.parseInt(source, 16)]);
}

const table = [...rows]
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(
    ([like, characters]) =>
      `${like} ${characters
        .sort((a, b) => a - b)
        .map(toHex)
        .join(' ')}`,
  );
writeFileSync(
  TARGET,
  `/**
 * Characters that look like Latin letters and digits. Each row: the text that they look like, then their code points, hexadecimal.
 *
 * Source:  confusables.txt of UTS 39, version ${version} (https://www.unicode.org/reports/tr39), without characters that NFKD replaces and without
 *          those that look like no ASCII letter or digit. \`npm run confusables\` writes this file. The whole table has 100 kB.
 * Licence: Unicode License V3, © Unicode, Inc.
 */
export const CONFUSABLES = \`
${table.join('\n')}
\`;
`,
);

function fromCodePoints(hex: string): string {
  return String.fromCodePoint(
    ...hex
      .trim()
      .split(/\s+/)
      .map((code) => Number.parseInt(code, 16)),
  );
}

function toHex(codePoint: number): string {
  return codePoint.toString(16);
}
