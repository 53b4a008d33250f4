/** Node's output for an uncaught error of the built library: the whole line that threw it. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const dist = (name: string) => JSON.stringify(fileURLToPath(new URL(`../../dist/${name}`, import.meta.url)));
const library = {
  module: `import { Toolkit, Tools } from ${dist('index.js')};`,
  commonjs: `const { Toolkit, Tools } = require(${dist('index.cjs')});`,
};
const mistakes = {
  'a refused key': "new Toolkit({ apiKey: 'typo' });",
  'a refused action': "new Toolkit({ apiKey: 'svc_toolkit_a' }).action({ action: 'a b', actionDescription: 'x' }, () => 1);",
  'a service that is not there': "new Tools({ apiKey: 'svc_agent_a', baseUrl: 'http://127.0.0.1:1', timeoutMs: 1 }).search('x');",
};

test.each(
  Object.entries(library).flatMap(([format, load]) => Object.entries(mistakes).map(([what, mistake]) => [what, format, load + mistake])),
)('%s from a %s prints one short line of code, the message and the stack', (_what, format, program) => {
  const { stderr } = spawnSync(process.execPath, [`--input-type=${format}`, '-e', program as string], { encoding: 'utf8' });
  const lines = stderr.split('\n');
  const message = lines.findIndex((line) => line.startsWith('SvcError: '));
  // The location, the line of code, the mark below it, an empty line.
  expect(message).toBe(4);
  expect(lines[1]?.length).toBeLessThan(250);
  expect(lines[1]).toMatch(/^ *(?:if .*|return |throw |.*=> )?(?:throw )?new (?:\w+\.)?SvcError|^ *(?:return|throw) new SvcError/);
  expect(lines.length).toBeLessThan(30);
});
