import { expect, test } from 'vitest';
import { nodeProblem } from '../../src/node-version';

test.each([
  [{ node: '20.20.2' }, 'Node 20.20.2'],
  [{ node: '22.12.0' }, 'Node 22.12.0'],
  [{ node: '20.11.1', deno: '2.1.4' }, 'Deno 2.1.4, compatible with Node 20.11.1'],
  [{ node: '21.6.0', bun: '1.1.0' }, 'Bun 1.1.0, compatible with Node 21.6.0'],
])('%j: one line names the needed Node, and how to install it', (versions, named) => {
  expect(nodeProblem('svc-sdk', 'svc-sdk', versions)).toBe(
    `svc-sdk needs Node 22.13 or newer, and this is ${named}. Update it, or start the command as: npx -p node@24 -p svc-sdk svc-sdk`,
  );
});

test.each(['22.13.0', '22.13.1', '24.0.0', '26.10.0'])('Node %s is new enough', (node) => {
  expect(nodeProblem('svc-sdk', 'svc-sdk', { node })).toBeUndefined();
});
