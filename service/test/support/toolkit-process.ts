/** A toolkit in a separate process, to be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface ToolkitProcess {
  /** Resolves when the process has printed the line. */
  printed(line: string): Promise<void>;
  /** SIGKILL, without a close frame. */
  kill(): void;
}

/** Offers `hang` (prints "hanging" and never ends) and `echo`. Resolves when it is registered. Runs the built package. */
export async function spawnToolkit({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<ToolkitProcess> {
  const program = fileURLToPath(new URL('./hanging-toolkit.mjs', import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, SVC_BASE_URL: baseUrl, SVC_TOOLKIT_API_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = (line: string) => waitForLine(child, line);
  await printed('ready');
  return { printed, kill: () => void child.kill('SIGKILL') };
}

function waitForLine(child: ChildProcess, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (data: Buffer) => {
      if (data.toString().split('\n').includes(line)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`The toolkit process ended (${code}) before it printed ${line}`)));
  });
}
