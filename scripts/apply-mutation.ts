/** Changes one source as it is loaded, so that the tests run with a mistake in it. No file on disk changes. */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { mutate, mutationCalled } from './mutations.ts';

/** @param name of a mutation; undefined for none */
export function applyMutation(name: string | undefined): Plugin {
  const mutation = name === undefined ? undefined : mutationCalled(name);
  const path = mutation && fileURLToPath(new URL(`../${mutation.file}`, import.meta.url));
  return {
    name: `mutation:${name ?? 'none'}`,
    enforce: 'pre',
    transform: (code, id) => (mutation && id.split('?')[0] === path ? { code: mutate(mutation, code), map: null } : undefined),
  };
}
