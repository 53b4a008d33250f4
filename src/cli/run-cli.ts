/**
 * One run of `svc-sdk`, from its arguments to its exit code. It never ends the process, so a test can call it too.
 *
 * Exit codes: 0 when the command did its work, 1 when it failed, 2 when the command line is wrong.
 */
import { styleText } from 'node:util';
import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { version } from '../../package.json';
import { addActionsCommand } from './actions';
import { addAddCommand } from '../../service/cli/add';
import { addBackupCommand } from '../../service/cli/backup';
import { addCompletionsCommand } from './completions';
import { addDemoCommand } from '../../service/cli/demo';
import { addDevCommand } from '../../service/cli/dev';
import { writeError } from './error-text';
import { addEvidenceCommand } from '../../service/cli/evidence';
import { addExplainCommand } from './explain';
import { addExportCommand } from '../../service/cli/export';
import { addImportCommand } from '../../service/cli/import';
import { addInitCommand } from './init';
import { addInvokeCommand } from './invoke';
import { addKeysCommand } from '../../service/cli/keys';
import { addLedgerCommand } from '../../service/cli/ledger';
import { addLintCommand } from '../../service/cli/lint';
import { addLogsCommand } from '../../service/cli/logs';
import { addMigrateCommand } from '../../service/cli/migrate';
import { addPeopleCommand } from '../../service/cli/people';
import { addRunCommand } from '../../service/cli/run';
import { addSearchCommand } from './search';
import { addServeCommand } from '../../service/cli/serve';
import { type Streams, Terminal } from './terminal';
import { addToolkitsCommand } from './toolkits';
import { UsageError } from './usage-error';
import { addVersionCommand } from './version';

const FAILED = 1;
const USAGE = 2;
/** Columns of a description in the list of commands: the default of commander leaves it unwrapped in a window of 80. */
const LEAST_WRAPPED = 20;

const COMMANDS = [
  addInitCommand,
  addDemoCommand,
  addServeCommand,
  addRunCommand,
  addDevCommand,
  addKeysCommand,
  addPeopleCommand,
  addEvidenceCommand,
  addBackupCommand,
  addExportCommand,
  addImportCommand,
  addMigrateCommand,
  addSearchCommand,
  addInvokeCommand,
  addLintCommand,
  addExplainCommand,
  addAddCommand,
  addToolkitsCommand,
  addActionsCommand,
  addLogsCommand,
  addLedgerCommand,
  addCompletionsCommand,
  addVersionCommand,
];

/** @param argv without the names of Node and of the program */
export async function runCli(argv: readonly string[], streams: Streams = process): Promise<number> {
  const terminal = new Terminal(streams, wantsJson(argv));
  try {
    await buildProgram(terminal).parseAsync(argv, { from: 'user' });
    await terminal.flush();
    return terminal.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    writeError(terminal, error);
    return error instanceof CommanderError || error instanceof UsageError ? USAGE : FAILED;
  }
}

function buildProgram(terminal: Terminal): Command {
  const program = new Command('svc-sdk')
    .description('A marketplace of tools for AI agents that anyone can run.')
    .version(version, '-v, --version', 'print the version')
    .configureHelp({ minWidthToWrap: LEAST_WRAPPED, styleTitle: (title) => styleText('bold', title, { stream: terminal.stdout }) })
    .showHelpAfterError('(add --help to see what there is)')
    .configureOutput(outputTo(terminal))
    .exitOverride();
  for (const add of COMMANDS) add(program, terminal);
  for (const command of leaves(program)) command.option('--json', 'print JSON; an error too, to stderr');
  return program;
}

/** Runs before the arguments are parsed, because an error of parsing is JSON too. Text after `--` belongs to another program. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes('--json');
}

function outputTo(terminal: Terminal): OutputConfiguration {
  return {
    writeOut: (text) => void terminal.stdout.write(text),
    writeErr: (text) => void (terminal.json || terminal.stderr.write(text)),
    // An error repeats words of the command line.
    outputError: (text) => terminal.note(text.trimEnd()),
    getOutHelpWidth: () => terminal.columns ?? 80,
    getErrHelpWidth: () => terminal.columns ?? 80,
    // `style` has decided it.
    getOutHasColors: () => true,
    getErrHasColors: () => true,
  };
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}
