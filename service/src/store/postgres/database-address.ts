import { SvcError } from '#sdk/protocol/errors';

/** Location of the database. The URL contains a password: only `shown` may be printed. */
export interface DatabaseAddress {
  url: string;
  /** `host:port/name`, for messages. */
  shown: string;
  user: string;
  /** Name of the database. */
  name: string;
}

/** @throws SvcError INVALID_REQUEST, whose message does not contain the URL */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hash !== '')
    throw new SvcError(
      'INVALID_REQUEST',
      // The command line redacts `user:password@` in every URL that it prints, so the example leaves it out.
      'Name a database by a URL such as postgres://host:5432/name, with user:password@ before the host; percent-encode special characters, such as %23 for # in a password',
    );
  const name = decodeURI(url.pathname.slice(1));
  const user = decodeURIComponent(url.username) || (url.searchParams.get('user') ?? '');
  const host = url.searchParams.get('host') ?? url.host;
  return { url: text, shown: `${host}/${name}`, user, name };
}
