/**
 * `node --import ./scripts/source-imports.ts …` runs the sources as they are: Node takes the types off, and this finds `./tokenize` where only
 * `./tokenize.ts` is, and `#sdk/` in the sources of the library, and gives `.sql` as text, as the bundler does.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const LIBRARY = new URL('../src/', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const path = specifier.replace(/^#sdk\//, LIBRARY);
    if (!/^(\.\.?\/|file:)/.test(path) || !context.parentURL?.endsWith('.ts')) return nextResolve(path, context);
    const withExtension = `${path}.ts`;
    return nextResolve(existsSync(new URL(withExtension, context.parentURL)) ? withExtension : path, context);
  },
  load(url, context, nextLoad) {
    if (!url.endsWith('.sql')) return nextLoad(url, context);
    const source = `export default ${JSON.stringify(readFileSync(new URL(url), 'utf8'))}`;
    return { format: 'module', source, shortCircuit: true };
  },
});
