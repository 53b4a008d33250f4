/** `node toolkits-process.ts ORIGIN JOBS`: registers the actions of all toolkits, prints `ready` and keeps them online. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { builtFile } from '../svc/built-file.ts';
import type { ToolkitJob } from './over-http.ts';

const { Toolkit }: typeof import('../../src/index.ts') = await import(pathToFileURL(builtFile('dist/index.js')).href);
const [baseUrl = '', file = ''] = process.argv.slice(2);
const jobs: ToolkitJob[] = JSON.parse(readFileSync(file, 'utf8'));
for (const { key, actions } of jobs) {
  const toolkit = new Toolkit({ baseUrl, apiKey: key });
  for (const { name, description, payloadSchema } of actions) {
    toolkit.action({ action: name, actionDescription: description, payloadDescription: payloadSchema }, async () => 'done');
  }
  const running = toolkit.run();
  await Promise.race([toolkit.ready, running]);
}
console.log('ready');
