/**
 * `node toolkit-process.ts native|mcp|openapi|document [WHAT] [ID]`: one toolkit as a process. WHAT is the script of a server, an address or a file,
 * ID that of the toolkit.
 */
import { readFileSync } from 'node:fs';
import { Toolkit } from 'svc-sdk';
import { mcpToolkit, openapiToolkit } from 'svc-service/import';

const CONCURRENCY = 1_000;
const [kind = '', what = '', toolkitId] = process.argv.slice(2);

const toolkit = await makeToolkit();
process.once('SIGTERM', () => void toolkit.stop());
const running = toolkit.run();
await Promise.race([toolkit.ready, running]);
console.log('ready');
await running;

async function makeToolkit(): Promise<Toolkit> {
  switch (kind) {
    case 'native': {
      const native = new Toolkit({ concurrency: CONCURRENCY });
      native.action({ action: 'echo', actionDescription: 'Repeats a text' }, (_ctx, { text }) => text);
      return native;
    }
    case 'mcp':
      return mcpToolkit({ server: { command: process.execPath, args: [what] }, toolkit: { concurrency: CONCURRENCY } });
    case 'openapi':
      return openapiToolkit({ document: echoDocument(), baseUrl: what, toolkit: { concurrency: CONCURRENCY } });
    case 'document':
      return openapiToolkit({ document: readFileSync(what, 'utf8'), toolkitId });
    default:
      throw new Error(`No toolkit is called "${kind}"`);
  }
}

function echoDocument() {
  const schema = { type: 'object', properties: { text: { type: 'string' } } };
  const requestBody = { content: { 'application/json': { schema } } };
  return { openapi: '3.0.3', info: { title: 'Echo' }, paths: { '/echo': { post: { operationId: 'echo', requestBody } } } };
}
