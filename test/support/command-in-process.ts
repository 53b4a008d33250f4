/** `svc-sdk` from its sources, in the process of the test: for refusals and output. What is about processes is in command.ts. */
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../../src/cli/run-cli';
import type { Ended } from './processes';

export interface InProcessOptions {
  /** What comes on stdin. Default: nothing. */
  input?: string;
  /** Ends a command that runs until it is stopped. */
  signal?: AbortSignal;
}

export async function runInProcess(args: readonly string[], { input = '', signal }: InProcessOptions = {}): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await runCli(args, { stdin: Readable.from([input]), stdout, stderr, ...(signal && { signal }) });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}
