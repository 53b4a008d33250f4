/** `svc-sdk` from its sources, in the process of the test: for refusals and output. What is about processes is in command.ts. */
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../../src/cli/run-cli';
import { type Ended, environment } from './processes';

export interface InProcessOptions {
  /** What comes on stdin. Default: nothing. */
  input?: string;
  /** Ends a command that runs until it is stopped. Default: never. */
  signal?: AbortSignal;
  /** Of the whole process while the command runs. */
  cwd?: string;
  /** On top of the environment of the tests, without its keys and addresses, as in a process of its own. */
  env?: Record<string, string>;
}

export async function runInProcess(
  args: readonly string[],
  { input = '', signal = new AbortController().signal, cwd, env }: InProcessOptions = {},
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const leave = enter(cwd, env);
  const code = await runCli(args, { stdin: Readable.from([input]), stdout, stderr, signal }).finally(leave);
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
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
