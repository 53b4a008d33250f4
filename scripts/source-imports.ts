/**
 * `node --import ./scripts/source-imports.ts …` runs the sources as they are: Node takes the types off, and this finds `./tokenize` where only
 * `./tokenize.ts` is, as the bundler does.
 */
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!/^\.\.?\//.test(specifier) || !context.parentURL?.endsWith('.ts')) return nextResolve(specifier, context);
    const withExtension = `${specifier}.ts`;
    return nextResolve(existsSync(new URL(withExtension, context.parentURL)) ? withExtension : specifier, context);
  },
});
