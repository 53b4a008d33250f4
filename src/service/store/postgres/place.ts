/** Where the database is. The URL holds a password: nothing but `shown` may be printed. */
import { SvcError } from '../../../protocol/errors';

export interface Place {
  url: string;
  /** `host:port/name`, for people. */
  shown: string;
  user: string;
  /** Of the database. */
  name: string;
}

/** @throws SvcError INVALID_REQUEST, without the URL */
export function readDatabaseUrl(text: string): Place {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hash !== '')
    throw new SvcError(
      'INVALID_REQUEST',
      'A database is named by a URL such as postgres://host:5432/name, with user:password@ before the host; what is special in a URL is percent-encoded in it, such as %23 for # in a password',
    );
  const name = decodeURI(url.pathname.slice(1));
  const user = decodeURIComponent(url.username) || (url.searchParams.get('user') ?? '');
  const host = url.searchParams.get('host') ?? url.host;
  return { url: text, shown: `${host}/${name}`, user, name };
}
