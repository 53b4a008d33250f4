/** Processes of a test: their output, their exit, and their end with the test. */
import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

export interface ProcessOptions {
  cwd?: string;
  /** Variables on top of the environment of the tests, without its keys and addresses. */
  env?: Record<string, string>;
  /** The content of stdin. Default: nothing. */
  input?: string;
  /** True keeps stdin open until `endInput`. Default: false. */
  keepsInput?: boolean;
}

export interface Ended {
  /** Null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningProcess {
  /** Resolves with the match once stdout holds it; rejects with what was printed when the process ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal to the process and to its children. */
  kill(signal: NodeJS.Signals): void;
  /** Closes stdin. */
  endInput(): void;
  readonly ended: Promise<Ended>;
}

export function startProcess(
  program: string,
  args: string[],
  { cwd, env, input = '', keepsInput = false }: ProcessOptions = {},
): RunningProcess {
  const child = spawn(program, args, { cwd, env: { ...environment(), ...env }, detached: true });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A process may end without reading its stdin.
  child.stdin.on('error', () => {});
  child.stdin.write(input);
  if (!keepsInput) child.stdin.end();
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    ended,
    endInput: () => void child.stdin.end(),
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(stdout);
          if (match) resolve(match);
        };
        child.stdout.on('data', look);
        look();
        ended.then(() => reject(new Error(`The process ended before it printed ${pattern}:\n${stdout}${stderr}`)), reject);
      }),
    kill(signal) {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    },
  };
}

/** Folders of programs that PATH may not contain. */
const PLACES = ['SVC_POSTGRES', 'SVC_NATS_SERVER', 'SVC_CHROMIUM', 'SVC_OPENSSL', 'SVC_SCRIPT', 'SVC_PYTHON_VENV', 'SVC_CARGO'];

/** The Node of the tests is first in PATH, for programs started by name. */
export function environment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => PLACES.includes(name) || !/^(SVC|OPENAI|VITEST)_|^(NO|FORCE)_COLOR$/.test(name),
  );
  return { ...Object.fromEntries(entries), PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
}
