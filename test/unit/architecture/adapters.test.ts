/** The main files of the adapters are siblings: a framework's own part is in the folder of its name. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FRAMEWORKS } from '../../../scripts/frameworks';
import { parseFile } from './source-files';

const MEDIAN_LINES = 45;

// A server in place of a list of tools.
const ADAPTERS = FRAMEWORKS.map(({ entry }) => entry).filter((entry) => entry !== 'mcp');

test.each(ADAPTERS)('adapters/%s.ts defines its adapter, then svcTools and loadSvcTools', (entry) => {
  const { statements } = parseFile(`adapters/${entry}.ts`);
  const names = statements.flatMap((statement) => /^(?:export )?(?:const|(?:async )?function) (\w+)/.exec(statement.getText())?.[1] ?? []);
  expect(names).toEqual(['adapter', 'svcTools', 'loadSvcTools']);
  expect(readdirSync(`adapters/${entry}`)).not.toEqual([]);
});

test(`half of the adapters have at most ${MEDIAN_LINES} lines`, () => {
  const lines = FRAMEWORKS.map(({ entry }) => parseFile(`adapters/${entry}.ts`).text.trimEnd().split('\n').length).toSorted(
    (a, b) => a - b,
  );
  expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(MEDIAN_LINES);
});
