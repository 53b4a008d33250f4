/**
 * `npm run agent:soak -- [--seconds 600] [--chats 200] [--seed 1]`: an agent on three platforms at once, with failures of the platforms and of the
 * model all through the run. Prints one line of JSON, with the memory of the agent's process.
 *
 * Errors: exit 1 when a message was lost, a call ran twice, a conversation was invalid, answers of a chat changed their order, or the agent did not
 *         end by itself.
 */
import { isClean } from './agent/audit-kills.ts';
import { soakAgent } from './agent/soak.ts';
import { benchCommand, wholeNumber } from './common/command.ts';
import { temporaryFolder } from './common/processes.ts';
import { randomOf } from './common/random.ts';

const { seconds, chats, seed } = benchCommand('npm run agent:soak --')
  .option('--seconds <count>', 'how long people write and platforms fail', wholeNumber, 600)
  .option('--chats <count>', 'chats, a third on each platform', wholeNumber, 200)
  .option('--seed <seed>', 'draws the same random numbers again', '1')
  .parse()
  .opts<{ seconds: number; chats: number; seed: string }>();

const report = await soakAgent({ folder: temporaryFolder(), seconds, chats, random: randomOf(seed) });
console.log(JSON.stringify({ seconds, chats, seed, ...report }));
process.exitCode = isClean(report) && report.eventLoop ? 0 : 1;
