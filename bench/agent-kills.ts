/**
 * `npm run agent:kills -- [--kills 50] [--seed 1] [--python python/.venv/bin/python]`: kills an agent with SIGKILL at random moments while people
 * write, and prints one line of JSON. With `--python` the agents of both languages take turns on one file.
 *
 * Errors: exit 1 when a message was lost, a call ran twice, a conversation was invalid, or answers of a chat changed their order.
 */
import { isClean } from './agent/audit-kills.ts';
import { killAtRandom } from './agent/kill-at-random.ts';
import { benchCommand, wholeNumber } from './common/command.ts';
import { temporaryFolder } from './common/processes.ts';
import { randomOf } from './common/random.ts';

const { kills, seed, python } = benchCommand('npm run agent:kills --')
  .option('--kills <count>', 'how often the agent is killed', wholeNumber, 50)
  .option('--seed <seed>', 'makes the same messages and pauses again', '1')
  .option('--python <program>', 'every second agent is the one in Python')
  .parse()
  .opts<{ kills: number; seed: string; python?: string }>();

const audit = await killAtRandom({ folder: temporaryFolder(), kills, random: randomOf(seed), python });
console.log(JSON.stringify({ kills, seed, ...audit }));
process.exitCode = isClean(audit) ? 0 : 1;
