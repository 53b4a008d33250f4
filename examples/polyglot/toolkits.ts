/** A toolkit in each language. Each one is an example of its SDK, unchanged. */
import { fileURLToPath } from 'node:url';
import colors from 'picocolors';
import { locateProgram } from '../../scripts/programs.ts';
import { buildRustExample } from '../../scripts/rust-example.ts';
import { type ToolkitProgram, typescriptToolkit } from '../demo/stage.ts';

/** A build that takes longer than this, in milliseconds, is mentioned. */
const LONG_BUILD_MS = 2_000;

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export async function openToolkits(): Promise<ToolkitProgram[]> {
  const maths = typescriptToolkit('maths');
  return [
    { ...maths, introduce: (ready) => `${maths.introduce(ready)} in TypeScript` },
    {
      name: 'exchange',
      program: locateProgram('python'),
      args: [path('../python/toolkits/exchange.py')],
      env: { PYTHONPATH: path('../../python/src') },
      ready: maths.ready,
      introduce: (ready) => `${maths.introduce(ready)} in Python`,
    },
    {
      name: 'weather',
      program: await buildWeather(),
      args: [],
      ready: /^Agents can use (.+)/,
      introduce: ([, actions = '']) => `Weather (${actions.split(', ').length}) in Rust`,
    },
  ];
}

async function buildWeather(): Promise<string> {
  const mention = () => console.log(colors.dim('Building rust/examples/weather.rs, which takes a minute the first time'));
  const timer = setTimeout(mention, LONG_BUILD_MS);
  try {
    return await buildRustExample('weather');
  } finally {
    clearTimeout(timer);
  }
}
