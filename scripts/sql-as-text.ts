/** Lets the tests import `.sql` files as strings, as the bundler does. */
import type { Plugin } from 'vite';

export function sqlAsText(): Plugin {
  return {
    name: 'sql-as-text',
    transform(code, id) {
      return id.endsWith('.sql') ? { code: `export default ${JSON.stringify(code)}`, map: null } : undefined;
    },
  };
}
