/** Starts the MCP server of its command line, prints a line, and waits: `node start-mcp-process.mjs sh -c '…'`. */
import { ProcessTransport } from '../../service/import/mcp/process-transport.ts';

const [command = '', ...args] = process.argv.slice(2);
const transport = new ProcessTransport({ command, args }, () => {});
await transport.start();
console.log('started');
process.on('SIGUSR2', () => process.exit());
