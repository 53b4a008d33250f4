/** The log of the built `svc-service serve`: lines for an operator, and never a secret. */
import { Tools } from 'svc-sdk';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import type { RunningProcess } from '../../../test/support/processes';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { runToolkit } from '../../../test/support/service';
import { makeKey } from '../../src/keys/key-text';
import { runCommand, startCommand } from '../support/command';

const KEY = /svc_(?:agent|toolkit|admin)_[0-9A-Za-z]{49}/;

async function serve(): Promise<{ service: RunningProcess; url: string; createKey(kind: string, name: string): Promise<string> }> {
  const { path: cwd, remove } = makeFolder();
  onTestFinished(remove);
  const service = startCommand(['serve', '--port', '0', '--log-level', 'info', '--metrics'], {
    cwd,
    env: { SVC_METRICS_TOKEN: 'only-prometheus' },
  });
  onTestFinished(() => service.kill('SIGKILL'));
  const [, url = ''] = await service.printed(/listens on (\S+)/);
  const createKey = async (kind: string, name: string) =>
    (await runCommand(['keys', 'create', '--kind', kind, '--name', name], { cwd })).stdout.trim();
  return { service, url, createKey };
}

async function stop(service: RunningProcess): Promise<{ lines: Record<string, unknown>[]; printed: string }> {
  service.kill('SIGTERM');
  const { code, stdout, stderr } = await service.ended;
  expect(code).toBe(0);
  return {
    lines: stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    printed: stdout + stderr,
  };
}

test('start, stop, connects and disconnects of toolkits, and calls are a line each, with ids, code and time', async () => {
  const { service, url, createKey } = await serve();
  const raw = await RawToolkit.connect({ url }, await createKey('toolkit', 'garage'));
  await raw.register([{ action: 'wash', actionDescription: 'Washes' }]);
  const tools = new Tools({ baseUrl: url, apiKey: await createKey('agent', 'me') });
  const call = tools.invoke('garage__wash', { note: 'secret-payload' });
  const { id } = await raw.invoked();
  raw.send({ jsonrpc: '2.0', id, result: 'secret-result' });
  const { invocationId } = await call;
  await expect(tools.invoke('garage__wsh', { note: 'secret-payload' })).rejects.toThrow();
  await raw.close();

  const { lines, printed } = await stop(service);
  const told = lines.map(({ time, pid, hostname, level, ...line }) => line);
  expect(told).toEqual([
    { msg: 'service started', url, node: expect.stringMatching(/^node_/) },
    { msg: 'toolkit connected', toolkit: 'garage', key: expect.stringMatching(/^key_/) },
    {
      msg: 'call',
      invocation: invocationId,
      action: 'garage__wash',
      agent: expect.stringMatching(/^key_/),
      code: 'OK',
      ms: expect.any(Number),
    },
    { msg: 'call', agent: expect.stringMatching(/^key_/), code: 'ACTION_NOT_FOUND', ms: expect.any(Number) },
    { msg: 'toolkit disconnected', toolkit: 'garage', key: expect.stringMatching(/^key_/), code: 1000 },
    { msg: 'service stopped', node: expect.stringMatching(/^node_/) },
  ]);
  expect(printed).not.toMatch(/secret-/);
});

test('a key in every field of a caller is in no line of the log', async () => {
  const { service, url, createKey } = await serve();
  const agentKey = await createKey('agent', 'me');
  const toolkitKey = await createKey('toolkit', 'garage');
  await runToolkit(url, await createKey('toolkit', 'failing'), (toolkit) => {
    toolkit.action({ action: 'fail', actionDescription: agentKey }, (ctx) => {
      ctx.progress({ progress: 1, message: agentKey });
      throw ctx.error(agentKey, toolkitKey, { data: agentKey });
    });
  });
  const raw = await RawToolkit.connect({ url }, toolkitKey);
  const action = { action: 'wash', actionDescription: agentKey, payloadDescription: { [agentKey]: { type: 'string' } } };
  await raw.register([action, { action: agentKey, actionDescription: toolkitKey }], {
    toolkit: { name: toolkitKey, description: agentKey },
  });
  await raw.request(agentKey, { key: toolkitKey });
  raw.send(`not JSON ${agentKey}`);

  for (const secret of [agentKey, toolkitKey, makeKey('agent'), makeKey('admin'), 'only-prometheus']) {
    const headers = {
      'content-type': 'application/json',
      'user-agent': secret,
      'idempotency-key': secret,
      traceparent: secret,
      tracestate: secret,
    };
    const bodies = [{ query: secret }, { action: secret }, { action: 'failing__fail', payload: { [secret]: secret } }, secret];
    for (const authorization of [`Bearer ${agentKey}`, `Bearer ${secret}`, secret, `Basic ${secret}`]) {
      const requests = [
        `/${secret}`,
        `/v1/actions/${secret}?toolkit=${secret}`,
        `/mcp?staticActions=${secret}`,
        `/metrics?token=${secret}`,
      ].map((path) => fetch(url + path, { headers: { ...headers, authorization } }));
      for (const body of bodies) {
        for (const path of ['/v1/search', '/v1/resolve', '/v1/invoke', '/v1/explain', '/mcp', '/v1/keys']) {
          const init = { method: 'POST', headers: { ...headers, authorization }, body: JSON.stringify(body) };
          requests.push(fetch(url + path, init));
        }
      }
      await Promise.allSettled(requests);
    }
  }
  await raw.close(4000, agentKey);
  const { lines, printed } = await stop(service);
  expect(lines.filter(({ msg }) => msg === 'call').length).toBeGreaterThan(10);
  expect(printed).not.toMatch(KEY);
  expect(printed).not.toContain('only-prometheus');
});
