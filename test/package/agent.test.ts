/** The entries of the agent in a project that has nothing but `svc-sdk`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InstalledPackage, installPackages } from './installed-package';

let project: InstalledPackage;
beforeAll(async () => {
  project = await installPackages('svc-sdk');
});
afterAll(() => project?.remove());

test.each(['agent', 'agent/telegram', 'agent/discord', 'agent/x', 'agent/ai'])(
  'svc-sdk/%s loads the client and shared parts, and neither the service nor another package but ws',
  async (entry) => {
    const loaded: string[] = JSON.parse(await project.run('node', 'loaded-files.mjs', `svc-sdk/${entry}`));
    const others = loaded.filter((url) => !/\/svc-sdk\/dist\/(?:agent|index|chunk|agent-tool)[\w-]*(?:\/\w+)?\.js$|\/ws\//.test(url));
    expect(others).toEqual([]);
    expect(loaded.some((url) => url.endsWith(`/dist/${entry}.js`))).toBe(true);
  },
);

const ASK = "({ aiModel }) => aiModel('x/y')({ model: '', messages: [], tools: [], signal: new AbortController().signal })";

test.each([
  ['import', `import('svc-sdk/agent/ai').then(${ASK}).catch(({ message }) => console.log(message))`],
  ['require', `(${ASK})(require('svc-sdk/agent/ai')).catch(({ message }) => console.log(message))`],
])('aiModel without the AI SDK names the package to install, by %s', async (_how, program) => {
  const message = 'aiModel needs the package "ai", which is not installed; run: npm install ai\n';
  expect(await project.run('node', '-e', program)).toBe(message);
});
