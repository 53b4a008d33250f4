/** `svc-service`, and for its commands `svc-sdk`, from their sources, in the process of the test: for refusals and output. Tests of processes use command.ts. */
import { PassThrough, Readable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { type Cli, runCli } from '../../src/cli/run-cli';
import { cliOf } from './cli-of';
import { type Ended, environment } from './processes';

export interface InProcessOptions {
  /** Default: the one that has the command. */
  cli?: Cli;
  /** The content of stdin. Default: nothing. */
  input?: string;
  /** True: stdin is a terminal, so a command may prompt. */
  isTerminal?: boolean;
  /** Columns of the terminal that stdout and stderr are. Default: they are pipes. */
  columns?: number;
  /** The directory of the whole process while the command runs. */
  cwd?: string;
  /**
   * Variables on top of the environment of the tests, without its keys and addresses, as in a separate process. Default, without `cwd`: that of the
   * test.
   */
  env?: Record<string, string>;
}

export interface RunningCommand {
  /** Resolves with the match once stdout holds it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** The same for stderr. */
  noted(pattern: RegExp): Promise<RegExpExecArray>;
  /** Equivalent of Ctrl-C. */
  stop(): Promise<Ended>;
  readonly ended: Promise<Ended>;
}

export function runInProcess(args: readonly string[], { cwd, env, ...streams }: InProcessOptions = {}): Promise<Ended> {
  if (cwd === undefined && env === undefined) return startInProcess(args, streams).ended;
  const leave = enter(cwd, env);
  return startInProcess(args, streams).ended.finally(leave);
}

/** Stopped when the test ends. */
export function startInProcess(
  args: readonly string[],
  { cli = cliOf(args), input = '', isTerminal = false, columns }: Omit<InProcessOptions, 'cwd' | 'env'> = {},
): RunningCommand {
  const stream = () => Object.assign(new PassThrough(), columns !== undefined && { columns });
  const [stdout, stderr] = [stream(), stream()];
  const printed = { stdout: '', stderr: '' };
  stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text;
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text;
  });
  const stop = new AbortController();
  const stdin = Object.assign(Readable.from([input]), { isTTY: isTerminal });
  const ended = runCli(cli, args, { stdin, stdout, stderr, signal: stop.signal }).then(async (code) => {
    await new Promise((resolve) => setImmediate(resolve));
    return { code, ...printed };
  });
  const holds = (name: 'stdout' | 'stderr', pattern: RegExp) =>
    vi.waitFor(() => {
      const match = pattern.exec(printed[name]);
      if (!match) throw new Error(`${name} does not hold ${pattern}:\n${printed.stdout}${printed.stderr}`);
      return match;
    }, 10_000);
  const running: RunningCommand = {
    ended,
    printed: (pattern) => holds('stdout', pattern),
    noted: (pattern) => holds('stderr', pattern),
    stop() {
      stop.abort();
      return ended;
    },
  };
  onTestFinished(() => void running.stop());
  return running;
}

function enter(cwd: string | undefined, env: Record<string, string> | undefined): () => void {
  const before = { cwd: process.cwd(), env: process.env };
  process.env = { ...environment(), ...env };
  if (cwd !== undefined) process.chdir(cwd);
  return () => {
    process.env = before.env;
    process.chdir(before.cwd);
  };
}
