/** One run of the command as a process. */
import { quietSqlite } from '../../service/cli/quiet-sqlite';
import { runCli } from './run-cli';

quietSqlite();
process.exitCode = await runCli(process.argv.slice(2));
// After a failure the client of NATS leaves sockets open, of a server that accepted the connection and then said nothing.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 500).unref();
