/** Reads the key in an `Authorization` header (RFC 6750 section 2.1). Error messages describe the header, and never contain the key. */
import { SvcError } from '#sdk/protocol/errors';
import type { KeyKind } from '#sdk/protocol/http';
import { type KeyProblem, readKey, TOKEN_PREFIX } from './key-text';

const BEARER = /^bearer +(\S+) *$/i;

/** One accepted kind of key, or several. */
export type NeededKind = KeyKind | readonly KeyKind[];

export function keyInHeader(header: string | undefined, needed: NeededKind): string {
  // Fast path for the usual spelling, without a regular expression.
  if (header?.startsWith('Bearer svc_')) return header.slice('Bearer '.length);
  const text = header === undefined ? undefined : BEARER.exec(header)?.[1];
  if (text !== undefined) return text;
  const seen = header === undefined ? 'The request has no key' : 'The Authorization header holds no key';
  throw new SvcError('INVALID_KEY', `${seen}: send the header "Authorization: Bearer ${shapeOf(needed)}"`);
}

/** The agent token in an `Authorization` header; undefined for a key, and without a header. */
export function tokenInHeader(header: string | undefined): string | undefined {
  if (header?.startsWith(`Bearer ${TOKEN_PREFIX}`)) return header.slice('Bearer '.length);
  if (header === undefined || header.startsWith('Bearer svc_')) return undefined;
  const text = BEARER.exec(header)?.[1];
  return text?.startsWith(TOKEN_PREFIX) ? text : undefined;
}

/** Whether the header has the form of an agent key or an agent token. */
export function isAgentCredential(header: string | undefined): boolean {
  const text = header === undefined ? undefined : BEARER.exec(header)?.[1];
  return text?.startsWith('svc_agent_') === true || text?.startsWith(TOKEN_PREFIX) === true;
}

/** Throws INVALID_KEY or WRONG_KEY_KIND for a text that cannot be a key of any service. */
export function refuseMalformed(text: string, needed: NeededKind): void {
  if (text.startsWith(TOKEN_PREFIX))
    throw new SvcError('WRONG_KEY_KIND', `An agent token can only search and call; this request needs a key: ${shapeOf(needed)}`);
  const read = readKey(text);
  if ('problem' in read) throw new SvcError('INVALID_KEY', PROBLEMS[read.problem](needed));
}

/** `svc_agent_…`, or `svc_agent_… or svc_toolkit_…`. */
export function shapeOf(needed: NeededKind): string {
  return [needed]
    .flat()
    .map((kind) => `svc_${kind}_…`)
    .join(' or ');
}

const PROBLEMS: Record<KeyProblem, (needed: NeededKind) => string> = {
  prefix: (needed) =>
    `This is not a key of svc-sdk: a key looks like ${shapeOf(needed)} and is sent as "Authorization: Bearer ${shapeOf(needed)}"`,
  length: () => 'The key is too short or too long: copy all of it, and nothing else',
  typo: () => 'The key is mistyped, its checksum does not fit: copy it again',
};
