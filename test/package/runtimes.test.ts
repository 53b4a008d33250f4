/** The tarball on each runtime that docs/runtimes.md names, and on a Node that is too old. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import servicePackageJson from '../../service/package.json' with { type: 'json' };
import { startProcess } from '../support/processes';
import { startService } from '../support/service';
import { type InstalledPackage, installPackages } from './installed-package';
import { inBin, installFromRegistry, RUNTIMES, TOO_OLD_NODE } from './runtimes';

const INSTALL_MS = 300_000;

let project: InstalledPackage;
beforeAll(async () => {
  project = await installPackages('svc-sdk', 'svc-service');
}, INSTALL_MS);
afterAll(() => project?.remove());

const inModules = (path: string) => join(project.folder, 'node_modules', path);

describe.each(RUNTIMES)('$name', ({ package: name, run: [command, ...options] }) => {
  let program: string;
  beforeAll(async () => {
    program = inBin(await installFromRegistry(name), command);
  }, INSTALL_MS);

  const start = (args: string[], env: Record<string, string> = {}) => {
    const child = startProcess(program, [...options, ...args], { cwd: project.folder, env });
    onTestFinished(() => child.kill('SIGKILL'));
    return child;
  };

  test.each(['import', 'require'])('service, Toolkit and Tools work by %s', async (how) => {
    const { code, stdout, stderr } = await start(['main-job.cjs', how, `data-${name}-${how}`]).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '{"result":"Hello, Ada!","refused":"INVALID_PAYLOAD"}\n',
      // Node 22 prints a warning that its SQLite is experimental.
      stderr: expect.not.stringMatching(/\b\w*Error\b/),
    });
  });

  test.each(['import', 'require'])('an Agent works by %s', async (how) => {
    const { code, stdout, stderr } = await start(['agent-job.cjs', how]).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '["Hello, Ada!","A new conversation. I no longer read what came before.","Stopped."]\n',
      stderr: expect.not.stringMatching(/\b\w*Error\b/),
    });
  });

  test('the command searches', async () => {
    const service = await startService();
    const { key } = await service.keys.create({ kind: 'agent', name: 'terminal' });
    await service.toolkit('greeter', (toolkit) => {
      toolkit.action({ action: 'greet', actionDescription: 'Greets a person by name' }, () => 'Hello');
    });
    const env = { SVC_BASE_URL: service.url, SVC_AGENT_API_KEY: key };
    const { code, stdout } = await start([inModules('svc-sdk/dist/cli.js'), 'search', 'greet'], env).ended;
    expect(code).toBe(0);
    expect(stdout).toContain('greeter__greet');
  });

  test('the command runs a service', async () => {
    const service = start([inModules('svc-service/dist/cli.js'), 'dev', '--port', '0']);
    const [, url] = await service.printed(/listens on (http:\S+[^.\s])/);
    expect((await fetch(`${url}/v1/openapi.json`)).status).toBe(200);
  });

  test('svc-tools-mcp prints its version', async () => {
    const { stdout } = await start([inModules('svc-sdk/dist/svc-tools-mcp.js'), '--version']).ended;
    expect(stdout).toBe(`${packageJson.version}\n`);
  });
});

describe('Node 20', () => {
  test.each(
    [packageJson, servicePackageJson].flatMap(({ name, bin }) => Object.entries(bin).map(([command, path]) => [command, name, path])),
  )(
    '%s prints one line with the required Node version',
    async (command = '', name, path) => {
      const program = inBin(await installFromRegistry(TOO_OLD_NODE), 'node');
      const ended = await startProcess(program, [inModules(`${name}/${path}`)], { cwd: project.folder }).ended;
      expect(ended).toEqual({
        code: 1,
        stdout: '',
        stderr:
          `${name} needs Node 22.13 or newer, and this is Node 20.20.2. ` +
          `Update it, or start the command as: npx -p node@24 -p ${name} ${command === 'svc' ? 'svc-sdk' : command}\n`,
      });
    },
    INSTALL_MS,
  );
});
