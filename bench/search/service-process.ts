/** `node service-process.ts TOOLKITS FILE`: a service in memory; writes a `StartedService` and prints `ready`. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { builtFile } from '../svc/built-file.ts';
import type { StartedService } from './over-http.ts';

const { createService }: typeof import('../../service/src/index.ts') = await import(pathToFileURL(builtFile('service/dist/index.js')).href);
const [count, file = ''] = process.argv.slice(2);
const service = await createService({ port: 0 });
const agent = await service.keys.create({ kind: 'agent', name: 'bench' });
const toolkitKeys: string[] = [];
for (let number = 0; number < Number(count); number++) {
  toolkitKeys.push((await service.keys.create({ kind: 'toolkit', name: `toolkit ${number}` })).key);
}
const started: StartedService = { origin: service.url, agentKey: agent.key, toolkitKeys };
writeFileSync(file, JSON.stringify(started));
console.log('ready');
