/**
 * Correct and wrong uses of the library, all in one process: nothing may be printed, and nothing may be called but the service.
 * Writes the ports that were connected to, and that of the service, into the file that it is given.
 */
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { Toolkit, Tools } from 'svc-sdk';
import { createService } from 'svc-service';

const ports = new Set();
subscribe('net.client.socket', ({ socket }) => socket.once('connectionAttempt', (_address, port) => ports.add(port)));

const service = await createService({ port: 0 });
const baseUrl = service.url;
const create = (kind, name) => service.keys.create({ kind, name });
const toolkitKey = await create('toolkit', 'trouble');
const agentKey = await create('agent', 'me');

const toolkit = new Toolkit({ baseUrl, apiKey: toolkitKey.key });
const action = (name, handler) =>
  toolkit.action({ action: name, actionDescription: `Does ${name}`, payloadDescription: { n: 'number' } }, handler);
action('well', (ctx) => {
  ctx.progress({ progress: 1 });
  return ctx.result('fine');
});
action('badly', () => {
  throw new Error('badly');
});
action('oddly', () => Promise.reject(undefined));
action('cyclic', () => {
  const cycle = {};
  cycle.self = cycle;
  return cycle;
});
action('slowly', (ctx) => new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))));
const running = toolkit.run().catch(() => {});
await toolkit.ready;

const tools = new Tools({ baseUrl, apiKey: agentKey.key });
const ignore = () => {};
await tools.search('does');
for (const name of ['well', 'badly', 'oddly', 'cyclic', 'nothing']) await tools.invoke(`trouble__${name}`, { n: 1 }).catch(ignore);
await tools.invoke('trouble__slowly', {}, { timeoutMs: 50 }).catch(ignore);
const call = (name, args) => ({ id: 'call_0', type: 'function', function: { name, arguments: args } });
await tools.callTools([call('search_services', '{'), call('invoke_service', 'null'), call('unknown', '{}'), call('invoke_service', '[]')]);
await new Tools({ baseUrl, apiKey: 'svc_agent_typo' }).search('x').catch(ignore);
await new Tools({ baseUrl, apiKey: toolkitKey.key }).search('x').catch(ignore);
await new Toolkit({ baseUrl, apiKey: `${toolkitKey.key}x` }).run().catch(ignore);

await service.keys.revoke(toolkitKey.id);
await running;
await service.close();
await tools.invoke('trouble__well', {}, { timeoutMs: 500 }).catch(ignore);
writeFileSync(process.argv[2], JSON.stringify({ ports: [...ports], service: service.port }));
