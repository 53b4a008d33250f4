/**
 * Literal secrets in an entry of `toolkits.yaml`. The file is shown, copied and kept in repositories, so it has `${NAME}` in their place.
 *
 * A secret is found by its name: that of a header, a variable, an option or a query parameter. A password in a URL and each member of
 * `openapi.auth` are secrets too, unless it asks for connections. A text that names a variable has none.
 */
import { hasVariable } from './environment-variables';
import { isObject } from './json-object';
import { isSecretName } from './secret-names';

interface LiteralSecret {
  /** Where the entry has it, for people: `mcp.headers.Authorization`. Never its value. */
  place: string;
  /** The name of the header, variable or option: `Authorization`, `--api-key`. */
  name: string;
  /** The secret, without the scheme of an Authorization header. */
  value: string;
}

type Replace = (secret: LiteralSecret) => string;
/** Returns the part of the entry without literal secrets. */
type PartRule = (part: unknown, place: string, replace: Replace) => unknown;

const AUTH_SCHEME = /^(?:Basic|Bearer|Token) +/i;
/** As `mcp-remote` and `curl` take it. */
const HEADER_OPTION = /^(?:-H|--header)$/;
/** `--api-key=…`, and `API_KEY=…` behind `docker run -e`. */
const ASSIGNMENT = /^(-{0,2}[A-Za-z][\w.-]*)=(.*)$/s;
const HEADER = /^([\w-]+)(:\s*)(.*)$/s;

const ENTRY_PARTS: ReadonlyMap<string, PartRule> = new Map([
  [
    'mcp',
    partsBy(
      new Map<string, PartRule>([
        ['args', inArguments],
        ['env', inNamed],
        ['headers', inNamed],
        ['url', inUrl],
      ]),
    ),
  ],
  [
    'openapi',
    partsBy(
      new Map<string, PartRule>([
        ['auth', inAuth],
        ['baseUrl', inUrl],
        ['file', inUrl],
        ['from', inUrl],
        ['headers', inNamed],
      ]),
    ),
  ],
]);

/** The entry with the result of `replace` in place of each literal secret. */
export function replaceLiteralSecrets<Entry extends object>(entry: Entry, replace: Replace): Entry {
  return partsBy(ENTRY_PARTS)(entry, '', replace) as Entry;
}

function partsBy(rules: ReadonlyMap<string, PartRule>): PartRule {
  return (part, place, replace) =>
    mapMembers(part, (member, name) => {
      const rule = rules.get(name);
      return rule ? rule(member, place === '' ? name : `${place}.${name}`, replace) : member;
    });
}

/** Settings of connections are not secrets. Their addresses may have a password. */
function inAuth(auth: unknown, place: string, replace: Replace): unknown {
  if (isObject(auth) && auth.from !== undefined) return mapMembers(auth, (member, name) => inUrl(member, `${place}.${name}`, replace));
  return mapMembers(auth, (member, name) => {
    const at = `${place}.${name}`;
    return isObject(member) ? inAuth(member, at, replace) : withoutSecret(member, { place: at, name }, replace);
  });
}

function inNamed(members: unknown, place: string, replace: Replace): unknown {
  return mapMembers(members, (member, name) => {
    const at = `${place}.${name}`;
    return isSecretName(name) ? withoutSecret(member, { place: at, name }, replace) : inUrl(member, at, replace);
  });
}

/** Also a URL in a longer text. */
function inUrl(text: unknown, place: string, replace: Replace): unknown {
  if (typeof text !== 'string' || !text.includes('://')) return text;
  return text
    .replace(/(:\/\/[^\s/?#:@]*:)([^\s/?#]+)@/g, (_, before: string, password: string) => {
      return `${before}${withoutSecret(password, { place: `the password in ${place}`, name: 'password' }, replace)}@`;
    })
    .replace(/([?&])([^\s=&#]+)=([^\s&#]*)/g, (pair: string, mark: string, name: string, value: string) =>
      isSecretName(name) ? `${mark}${name}=${withoutSecret(value, { place: `"${name}" in ${place}`, name }, replace)}` : pair,
    );
}

function inArguments(args: unknown, place: string, replace: Replace): unknown {
  if (!Array.isArray(args)) return args;
  return args.map((arg: unknown, index) =>
    typeof arg === 'string' ? inArgument(arg, String(args[index - 1] ?? ''), place, replace) : arg,
  );
}

function inArgument(arg: string, before: string, place: string, replace: Replace): unknown {
  if (HEADER_OPTION.test(before)) return inHeader(arg, place, replace);
  if (before.startsWith('-') && !before.includes('=') && !arg.startsWith('-') && isSecretName(before))
    return withoutSecret(arg, { place: `${before} in ${place}`, name: before }, replace);
  const [, name = '', value = ''] = ASSIGNMENT.exec(arg) ?? [];
  if (HEADER_OPTION.test(name)) return `${name}=${inHeader(value, place, replace)}`;
  return isSecretName(name)
    ? `${name}=${withoutSecret(value, { place: `${name} in ${place}`, name }, replace)}`
    : inUrl(arg, place, replace);
}

function inHeader(header: string, place: string, replace: Replace): string {
  const [, name = '', separator = '', value = ''] = HEADER.exec(header) ?? [];
  return isSecretName(name) ? `${name}${separator}${withoutSecret(value, { place: `${name} in ${place}`, name }, replace)}` : header;
}

function withoutSecret(value: unknown, secret: Omit<LiteralSecret, 'value'>, replace: Replace): unknown {
  if (typeof value === 'object' || value === undefined) return value;
  const text = String(value);
  if (text === '' || hasVariable(text)) return value;
  const scheme = AUTH_SCHEME.exec(text)?.[0] ?? '';
  return scheme + replace({ ...secret, value: text.slice(scheme.length) });
}

function mapMembers(object: unknown, change: (member: unknown, name: string) => unknown): unknown {
  if (!isObject(object)) return object;
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member, name)]));
}
