/**
 * `node scripts/side-by-side.ts lint types`: runs npm scripts at the same time, and prints the output of each as a whole. A script may have options
 * behind it, as one argument: `'vectors:mutate -- --tenth'`.
 *
 * The output of the scripts that failed comes last. Exits with 1 if there is one.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

interface Ended {
  script: string;
  failed: boolean;
  output: string;
}

const ended = await Promise.all(process.argv.slice(2).map(run));
const failed = ended.filter((each) => each.failed);
for (const { script, output } of failed) console.error(`\n${script} failed:\n${output.trimEnd()}`);
if (failed.length > 0) process.exit(1);

async function run(script: string): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn('npm', ['run', '--silent', ...script.split(' ')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const output = stdout + stderr;
  const isOk = (await code) === 0;
  console.log(`${script}: ${isOk ? 'ok' : 'failed'} after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  if (isOk && output !== '') console.log(output.trimEnd());
  return { script, failed: !isOk, output };
}
