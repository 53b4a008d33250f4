/** The flags that say which data: a directory or a database. */
import { type Command, Option } from 'commander';
import { DEFAULT_DATA } from './options';

export interface PlaceFlags {
  data?: string;
  database?: string;
}

/** @param data what the directory is for this command */
export function addPlaceFlags(command: Command, data: string): Command {
  return command
    .option('--data <dir>', `${data} (default: ${DEFAULT_DATA}, unless SVC_DATABASE_URL is set)`)
    .addOption(
      new Option(
        '--database <url>',
        'PostgreSQL instead of a directory, such as postgres://user@host:5432/name; with a password in it better by the variable SVC_DATABASE_URL',
      ).conflicts('data'),
    );
}

/** The variable counts when there is no flag: a move from a directory to the database names both. An empty one is none. */
export function placeOf({ data, database }: PlaceFlags): string | { database: string } {
  const url = database ?? (data === undefined ? process.env.SVC_DATABASE_URL : undefined);
  return url ? { database: url } : (data ?? DEFAULT_DATA);
}
