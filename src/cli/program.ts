/** All commands, and the one that was asked for. */
import { Command } from 'commander';
import { SvcError } from 'svc-sdk';
import { version } from '../../package.json';
import { addBackupCommand } from './backup';
import { addDevCommand } from './dev';
import { addEvidenceCommand } from './evidence';
import { addExplainCommand } from './explain';
import { addExportCommand } from './export';
import { addImportCommand } from './import';
import { addInvokeCommand } from './invoke';
import { addKeysCommand } from './keys';
import { addLintCommand } from './lint';
import { addMigrateCommand } from './migrate';
import { addPeopleCommand } from './people';
import { quietSqlite } from './quiet-sqlite';
import { redactor } from './redact';
import { addSearchCommand } from './search';
import { addServeCommand } from './serve';

const program = new Command('svc-sdk')
  .description('A marketplace of tools for AI agents that anyone can run.')
  .version(version)
  .showHelpAfterError('(add --help to see what there is)');

addServeCommand(program);
addDevCommand(program);
addKeysCommand(program);
addPeopleCommand(program);
addEvidenceCommand(program);
addBackupCommand(program);
addExportCommand(program);
addImportCommand(program);
addMigrateCommand(program);
addSearchCommand(program);
addInvokeCommand(program);
addLintCommand(program);
addExplainCommand(program);

quietSqlite();
try {
  await program.parseAsync();
} catch (error) {
  if (!SvcError.is(error)) throw error;
  const { didYouMean, issues, cause } = error.details;
  // A driver may have put its URL into the message.
  console.error(redactor(process.env)(`${error.code}: ${error.message}`));
  for (const { path, message } of issues ?? []) console.error(`  ${path || '(payload)'}: ${message}`);
  if (cause?.data !== undefined) console.error(`  ${cause.code}: ${JSON.stringify(cause.data)}`);
  if (didYouMean) console.error(`  Did you mean ${didYouMean.join(', ')}?`);
  process.exitCode = 1;
  // The client of NATS leaves the sockets open of a server that took the connection and then said nothing.
  setTimeout(() => process.exit(), 500).unref();
}
