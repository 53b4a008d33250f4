/**
 * One run of a command, from its arguments to its exit code. It never ends the process, so a test can call it too.
 *
 * Exit codes: 0 when the command did its work, 1 when it failed, 2 when the command line is wrong.
 */
import { styleText } from 'node:util';
import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { version } from '../../package.json';
import { type CommandPackage, refuseOtherPackage } from './command-package';
import { writeError } from './error-text';
import { type Streams, Terminal } from './terminal';
import { UsageError } from './usage-error';

const FAILED = 1;
const USAGE = 2;
/** Columns of a description in the list of commands: the default of commander leaves it unwrapped in a window of 80. */
const LEAST_WRAPPED = 20;

/** This command prints the names of all. */
const LISTS_COMMANDS = 'completions';

/** The differences between `svc-sdk` and `svc-service`. */
export interface Cli {
  name: CommandPackage;
  description: string;
  commands: Readonly<Record<string, (program: Command, terminal: Terminal) => void>>;
  /** Lines below the list of commands. */
  more: string;
}

/** @param argv without the names of Node and of the program */
export async function runCli(cli: Cli, argv: readonly string[], streams: Streams = process): Promise<number> {
  const terminal = new Terminal(streams, wantsJson(argv));
  try {
    refuseOtherPackage(cli.name, argv);
    await buildProgram(cli, terminal, argv[0]).parseAsync(argv, { from: 'user' });
    await terminal.flush();
    return terminal.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    writeError(terminal, error);
    return error instanceof CommanderError || error instanceof UsageError ? USAGE : FAILED;
  }
}

/** @param first a known command is added alone, which saves a start a tenth of its time */
function buildProgram({ name, description, commands, more }: Cli, terminal: Terminal, first = ''): Command {
  const program = new Command(name)
    .description(description)
    .version(version, '-v, --version', 'print the version')
    .configureHelp({ minWidthToWrap: LEAST_WRAPPED, styleTitle: (title) => styleText('bold', title, { stream: terminal.stdout }) })
    .addHelpText('after', `\n${more}`)
    .showHelpAfterError('(add --help to see what there is)')
    .configureOutput(outputTo(terminal))
    .exitOverride();
  const added = first !== LISTS_COMMANDS && Object.hasOwn(commands, first) ? [first] : Object.keys(commands);
  for (const key of added) commands[key]?.(program, terminal);
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
