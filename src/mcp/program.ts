/** `svc-tools-mcp` on a Node version that can run it. */
import { version } from '../../package.json';
import { HELP } from './help';
import { serve } from './serve';
import { serverFromEnvironment } from './server';

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) process.stdout.write(HELP);
else if (args.includes('--version')) process.stdout.write(`${version}\n`);
else serve(serverFromEnvironment(args));
