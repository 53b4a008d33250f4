/** `npm run bench:console -- [--calls 1000000] [--rounds 20] [--data DIRECTORY] [--database URL] [--json FILE]`. */
import { Command, InvalidArgumentError } from 'commander';

export interface ConsoleOptions {
  calls: number;
  /** How often each question is asked. */
  rounds: number;
  /** Filled once and kept; a temporary one unless given. */
  data?: string;
  /** A PostgreSQL database, filled when it is empty, and asked too. */
  database?: string;
  json?: string;
}

/** Ends the process with a message when an option is wrong. */
export function readConsoleOptions(args: readonly string[]): ConsoleOptions {
  return new Command('npm run bench:console --')
    .description('What the pages of the console cost the store when there are many calls.')
    .option('--calls <count>', 'calls over seven days', readCount, 1_000_000)
    .option('--rounds <count>', 'how often each question is asked', readCount, 20)
    .option('--data <directory>', 'an empty or new directory that stays; one that was filled before is asked again')
    .option('--database <url>', 'an empty PostgreSQL database, which is filled too; one that was filled before is asked again')
    .option('--json <file>', 'write everything as JSON')
    .allowExcessArguments(false)
    .parse(args, { from: 'user' })
    .opts<ConsoleOptions>();
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It needs a whole number above 0.');
}
