/**
 * The operator's options of NATS, parsed and checked before a connection is opened. No error message holds a secret or a URL as the
 * operator wrote it.
 */
import { accessSync, constants } from 'node:fs';
import { SvcError } from '#sdk/protocol/errors';

export interface NatsOptions {
  /**
   * Addresses of one or more servers of one cluster: `nats://host:4222`, `tls://host:4222` or `host:4222`, as a list or separated by
   * commas.
   */
  servers: string | readonly string[];
  user?: string | undefined;
  password?: string | undefined;
  token?: string | undefined;
  /** Path of a `.creds` file. The file may be replaced: every connection reads it again. */
  credentials?: string | undefined;
  /** Seed of an nkey, `SU…`. */
  nkeySeed?: string | undefined;
  /** Allows only encrypted connections, as a `tls://` address does. */
  tls?: NatsTlsOptions | undefined;
  /** First word of all subjects, so that several services can share one NATS. Default `svc`. */
  prefix?: string | undefined;
}

/** Paths of PEM files. Every connection reads the files again. */
export interface NatsTlsOptions {
  /** The CA certificate that signed the server's certificate. Default: the CAs of Node. */
  caFile?: string | undefined;
  /** The client certificate, if the server asks for one; requires `keyFile`. */
  certFile?: string | undefined;
  keyFile?: string | undefined;
}

export interface NatsSettings {
  /** `host:port`, without credentials, so that logs may hold it. */
  servers: string[];
  login: NatsLogin;
  tls: { caFile?: string; certFile?: string; keyFile?: string } | undefined;
  prefix: string;
}

export type NatsLogin =
  | { kind: 'none' }
  | { kind: 'password'; user: string; password: string }
  | { kind: 'token'; token: string }
  | { kind: 'credentials'; path: string }
  | { kind: 'nkey'; seed: string };

const NAMES = ['servers', 'user', 'password', 'token', 'credentials', 'nkeySeed', 'tls', 'prefix'];
const TLS_NAMES = ['caFile', 'certFile', 'keyFile'];
const DEFAULT_PORT = 4222;

/** Throws SvcError INVALID_REQUEST. */
export function readNatsOptions(given: string | NatsOptions): NatsSettings {
  const options: NatsOptions = typeof given === 'string' ? { servers: given } : given;
  checkNames('nats', options, NAMES);
  const { servers, tls, prefix = 'svc' } = options;
  if (typeof prefix !== 'string' || !/^[\w-]{1,64}$/.test(prefix))
    throw invalid('nats.prefix must be one word of letters, digits, _ and -, at most 64 of them');
  const texts = (typeof servers === 'string' ? servers.split(',') : [...(servers ?? [])]).map((text) => String(text).trim());
  const addresses = texts.filter((text) => text !== '').map(readAddress);
  if (addresses.length === 0) throw invalid('nats.servers is empty: write an address such as nats://localhost:4222');
  return {
    servers: addresses.map(({ address }) => address),
    login: oneLogin([...addresses.map(({ login }) => login), loginOf(options)]),
    tls: readTls(
      tls,
      addresses.some(({ encrypted }) => encrypted),
    ),
    prefix,
  };
}

interface Address {
  address: string;
  encrypted: boolean;
  login: NatsLogin;
}

function readAddress(text: string, index: number): Address {
  const url = URL.parse(text.includes('://') ? text : `nats://${text}`);
  // The message names only the position in the list: the text may hold a password.
  const wrong = (what: string) => invalid(`Address ${index + 1} of nats.servers ${what}; write it as nats://host:4222 or tls://host:4222`);
  if (!url?.hostname) throw wrong('is not a URL (in a password, write @ : / ? # % and commas as %40 and so on)');
  if (url.protocol !== 'nats:' && url.protocol !== 'tls:') throw wrong(`begins with ${url.protocol}//, which is not understood`);
  if (/[^/]/.test(url.pathname) || url.search || url.hash) throw wrong('has a path, query or fragment after its port');
  const [user, password] = [url.username, url.password].map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      throw wrong('has a % in its user or password that is not written as %25');
    }
  }) as [string, string];
  return {
    address: `${url.hostname}:${url.port || DEFAULT_PORT}`,
    encrypted: url.protocol === 'tls:',
    // A user without password is a token, as in all clients of NATS.
    login: loginOf(password ? { user, password } : { token: user || undefined }),
  };
}

function loginOf({ user, password, token, credentials, nkeySeed }: Omit<NatsOptions, 'servers'>): NatsLogin {
  const given = Object.entries({ user, password, token, credentials, nkeySeed }).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) if (typeof value !== 'string' || value === '') throw invalid(`nats.${name} is empty or not a text`);
  const names = given.map(([name]) => name).join(' and ');
  if (user !== undefined && password !== undefined && given.length === 2) return { kind: 'password', user, password };
  if (given.length > 1) throw invalid(`nats has ${names}: give user with password, or token, or credentials, or nkeySeed`);
  if (user !== undefined || password !== undefined) throw invalid('nats.user and nats.password go together');
  if (token !== undefined) return { kind: 'token', token };
  if (credentials !== undefined) {
    checkReadable('credentials', credentials);
    return { kind: 'credentials', path: credentials };
  }
  return nkeySeed === undefined ? { kind: 'none' } : { kind: 'nkey', seed: nkeySeed };
}

/** The client uses one login for all servers. */
function oneLogin(logins: NatsLogin[]): NatsLogin {
  const given = new Map(logins.filter(({ kind }) => kind !== 'none').map((login) => [JSON.stringify(login), login]));
  if (given.size > 1) throw invalid('nats has more than one login, in its addresses and options: give one, it is used for all addresses');
  const [login] = given.values();
  return login ?? { kind: 'none' };
}

function readTls(tls: NatsTlsOptions | undefined, encrypted: boolean): NatsSettings['tls'] {
  if (tls === undefined) return encrypted ? {} : undefined;
  if (typeof tls !== 'object' || tls === null) throw invalid(`nats.tls must be an object with ${TLS_NAMES.join(', ')}`);
  checkNames('nats.tls', tls, TLS_NAMES);
  const { caFile, certFile, keyFile } = tls;
  if ((certFile === undefined) !== (keyFile === undefined)) throw invalid('nats.tls.certFile and nats.tls.keyFile go together');
  const files = Object.entries({ caFile, certFile, keyFile }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  for (const [name, path] of files) checkReadable(`tls.${name}`, path);
  return Object.fromEntries(files);
}

function checkNames(what: string, options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw invalid(`There is no option ${what}.${name}; there are ${names.join(', ')}`);
  }
}

function checkReadable(name: string, path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SvcError(
      'INVALID_REQUEST',
      `nats.${name}: cannot read ${path} (${code}); give the path of a file that this user may read`,
      {},
      { cause: error },
    );
  }
}

function invalid(message: string): SvcError {
  return new SvcError('INVALID_REQUEST', message);
}
