/** `npm run bench:console -- [--calls 1000000] [--rounds 20] [--data DIRECTORY] [--database URL] [--json FILE]`. */
import { benchCommand, wholeNumber } from '../common/command.ts';

export interface ConsoleOptions {
  calls: number;
  /** The number of runs of each query. */
  rounds: number;
  /** Filled once and kept; a temporary one unless given. */
  data?: string;
  /** A PostgreSQL database, filled when it is empty, and queried too. */
  database?: string;
  json?: string;
}

export function readConsoleOptions(args: readonly string[]): ConsoleOptions {
  return benchCommand('npm run bench:console --')
    .description("Measures the queries of the console's pages when there are many calls.")
    .option('--calls <count>', 'calls over seven days', wholeNumber, 1_000_000)
    .option('--rounds <count>', 'how often each question is asked', wholeNumber, 20)
    .option('--data <directory>', 'an empty or new directory that stays; one that was filled before is asked again')
    .option('--database <url>', 'an empty PostgreSQL database, which is filled too; one that was filled before is asked again')
    .option('--json <file>', 'write everything as JSON')
    .parse(args, { from: 'user' })
    .opts<ConsoleOptions>();
}
