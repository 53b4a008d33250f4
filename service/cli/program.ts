/** One run of `svc-service` as a process. */
import { runCli } from '#sdk/cli/run-cli';
import { SERVICE_CLI } from './commands';
import { quietSqlite } from './quiet-sqlite';

quietSqlite();
process.exitCode = await runCli(SERVICE_CLI, process.argv.slice(2));
// After a failure the NATS client leaves sockets open to a server that accepted the connection and then did not answer.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 500).unref();
