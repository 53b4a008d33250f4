/** One run of `svc-sdk` as a process. A command of `svc-service` is handed to that package, if it is installed. */
import { pathToFileURL } from 'node:url';
import { SDK_CLI } from './commands';
import { runCli } from './run-cli';
import { findServiceCommand, isServiceCommand, serviceCommandLine } from './service-command';

const argv = process.argv.slice(2);
const handedOver = isServiceCommand(argv);
const program = handedOver ? findServiceCommand() : undefined;
if (program !== undefined) {
  await import(pathToFileURL(program).href);
} else if (handedOver) {
  process.stderr.write(`${serviceCommandLine(argv)}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await runCli(SDK_CLI, argv);
}
