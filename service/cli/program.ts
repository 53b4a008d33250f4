/** One run of `svc-service` as a process. */
import { runCli } from '#sdk/cli/run-cli';
import { SERVICE_CLI } from './commands';
import { quietSqlite } from './quiet-sqlite';

quietSqlite();
process.exitCode = await runCli(SERVICE_CLI, process.argv.slice(2));
// After a failure the client of NATS leaves sockets open, of a server that accepted the connection and then said nothing.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 500).unref();
