/**
 * Evaluates expressions with names of the TypeScript sources for the tests of another language, in one process.
 *
 * Shape: each line of stdin is `{expression, imports: {names: file below src/}, given}`; each line of stdout is `{value}` or `{error}`. The process
 *        ends with its stdin.
 */
import { createInterface } from 'node:readline';

const AsyncFunction = (async () => {}).constructor;

async function evaluate({ expression, imports, given }) {
  const scope = { given };
  for (const [names, path] of Object.entries(imports)) {
    const module = await import(new URL(`../../../src/${path}`, import.meta.url).href);
    for (const name of names.split(', ')) scope[name] = module[name];
  }
  return await new AsyncFunction(...Object.keys(scope), `return (${expression})`)(...Object.values(scope));
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await evaluate(JSON.parse(line)).then(
    (value) => ({ value }),
    (error) => ({ error: error.stack }),
  );
  console.log(JSON.stringify(answer));
}
