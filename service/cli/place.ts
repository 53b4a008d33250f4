/** The flags of every command that works on the data of a service: a directory, or a database. */
import { type Command, Option } from 'commander';
import type { DataPlace } from 'svc-service';
import { notEmpty, shellWord } from '#sdk/cli/options';
import { UsageError } from '#sdk/cli/usage-error';

const DEFAULT_DATA = 'svc-data';

export interface PlaceFlags {
  data?: string;
  database?: string;
}

/** @param what purpose of the directory */
export function addPlaceFlags(command: Command, what: string): Command {
  return addOptionalPlaceFlags(command, `${what} (default: "${DEFAULT_DATA}")`);
}

/** The same flags without a default, for commands that also work without the data. */
export function addOptionalPlaceFlags(command: Command, what: string): Command {
  return command
    .option('--data <dir>', what, notEmpty())
    .addOption(
      new Option(
        '--database <url>',
        'PostgreSQL instead of a directory, such as postgres://user@host:5432/name; with a password in it better by the variable',
      )
        .env('SVC_DATABASE_URL')
        .argParser(notEmpty('SVC_DATABASE_URL')),
    );
}

/** @throws UsageError for both */
export function placeOf({ data, database }: PlaceFlags): DataPlace {
  // An empty variable counts as unset.
  if (!database) return data ?? DEFAULT_DATA;
  if (data === undefined) return { database };
  throw new UsageError('The data are in a directory or in a database: give --data or --database (SVC_DATABASE_URL), not both');
}

/** The location in readable form, without the password. */
export function shownPlace(place: DataPlace): string {
  if (typeof place === 'string') return place;
  const { host, pathname } = new URL(place.database);
  return `${host}${pathname}`;
}

/** Options for another command on the same data. Empty for a database: its URL contains a password and is in the variable. */
export function placeWords(place: DataPlace): string {
  return typeof place === 'string' ? ` --data ${shellWord(place)}` : '';
}
