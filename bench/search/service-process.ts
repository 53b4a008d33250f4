/** `node service-process.ts TOOLKITS`: a service in memory; prints its address, an agent key and a key for each toolkit. */
import { pathToFileURL } from 'node:url';
import { builtFile } from '../svc/built-file.ts';

const { createService }: typeof import('../../src/service/index.ts') = await import(pathToFileURL(builtFile('service.js')).href);
const service = await createService({ port: 0 });
const agent = await service.keys.create({ kind: 'agent', name: 'bench' });
const toolkitKeys: string[] = [];
for (let number = 0; number < Number(process.argv[2]); number++) {
  toolkitKeys.push((await service.keys.create({ kind: 'toolkit', name: `toolkit ${number}` })).key);
}
console.log(JSON.stringify({ origin: service.url, agentKey: agent.key, toolkitKeys }));
