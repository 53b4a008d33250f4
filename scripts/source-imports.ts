/**
 * `node --import ./scripts/source-imports.ts …` runs the sources as they are: Node takes the types off, and this finds `./tokenize` where only
 * `./tokenize.ts` is, and gives `.sql` as text, as the bundler does.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!/^\.\.?\//.test(specifier) || !context.parentURL?.endsWith('.ts')) return nextResolve(specifier, context);
    const withExtension = `${specifier}.ts`;
    return nextResolve(existsSync(new URL(withExtension, context.parentURL)) ? withExtension : specifier, context);
  },
  load(url, context, nextLoad) {
    if (!url.endsWith('.sql')) return nextLoad(url, context);
    const source = `export default ${JSON.stringify(readFileSync(new URL(url), 'utf8'))}`;
    return { format: 'module', source, shortCircuit: true };
  },
});
