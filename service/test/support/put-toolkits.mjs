/** Adds toolkits to a toolkits.yaml at SIGUSR2, one after the other: `node put-toolkits.mjs <toolkits.yaml> <id>…`. */
import { openToolkitsFolder } from '../../import/toolkits-folder.ts';

const [file = '', ...ids] = process.argv.slice(2);
const folder = await openToolkitsFolder(file);
const stay = setInterval(() => {}, 60_000);
process.once('SIGUSR2', async () => {
  for (const id of ids) await folder.put(id, { mcp: { command: 'node' } }, { toolkit: {}, actions: {} });
  clearInterval(stay);
});
console.log('ready');
