/** One run of `svc-sdk` as a process. A command of `svc-service` is handed to that package, if it is installed. */
import { pathToFileURL } from 'node:url';
import { packageOf } from './command-package';
import { SDK_CLI } from './commands';
import { installedServiceCommand } from './installed-service';
import { runCli } from './run-cli';

const argv = process.argv.slice(2);
const service = packageOf(argv) === 'svc-service' ? installedServiceCommand() : undefined;
if (service === undefined) process.exitCode = await runCli(SDK_CLI, argv);
else await import(pathToFileURL(service).href);
