/**
 * Parses the head of a plain request: `POST /v1/invoke` or `POST /v1/search` in the form that common HTTP clients write.
 *
 * The parser is strict. It returns undefined for everything else, and `node:http` parses that request instead: another method or
 * target, an unknown header, a repeated header, folding, bare CR or LF, a transfer coding, `Expect`, `Upgrade`, `Origin`, `Connection: close`.
 *
 * Source: RFC 9112 sections 2 to 6, RFC 9110 section 5.
 */
import { HEADERS, PATHS } from '#sdk/protocol/http';

/** The routes that read plain requests. */
export type PlainPath = typeof PATHS.invoke | typeof PATHS.search;

/** Header values as `node:http` would return them; undefined for a missing header. */
export interface RequestHead {
  path: PlainPath;
  /** Bytes of the head, including the empty line. */
  bytes: number;
  contentLength: number;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  timeoutMs: string | undefined;
  prefer: string | undefined;
  ask: string | undefined;
  maxResultChars: string | undefined;
  searchId: string | undefined;
  maxPayment: string | undefined;
  actionVersion: string | undefined;
  userId: string | undefined;
  sessionId: string | undefined;
  connections: string | undefined;
  connectionNames: string | undefined;
  traceparent: string | undefined;
  tracestate: string | undefined;
  caller: string | undefined;
  usage: string | undefined;
}

/** Half of the limit of `node:http`, so that its limit is never reached. */
export const MAX_HEAD_BYTES = 8_192;

const REQUEST_LINES = ([PATHS.invoke, PATHS.search] as const).map((path) => ({ path, line: `POST ${path} HTTP/1.1\r\n` }));
/** Name, colon, at most one space, visible ASCII. The pattern does not backtrack. */
export const FIELD_LINES = /(?:[A-Za-z0-9-]+: ?[\x21-\x7e][\x20-\x7e]*\r\n)+\r\n/y;
/** Nine digits fit a safe integer and exceed every body limit. */
export const CONTENT_LENGTH = /^\d{1,9}$/;

type FieldName =
  | 'host'
  | 'content-length'
  | 'connection'
  | 'accept'
  | 'authorization'
  | 'idempotency-key'
  | 'svc-timeout-ms'
  | 'prefer'
  | 'svc-ask'
  | 'svc-max-result-chars'
  | 'svc-search-id'
  | 'svc-max-payment'
  | 'svc-action-version'
  | 'svc-user-id'
  | 'svc-session-id'
  | 'svc-connections'
  | 'svc-connection-names'
  | 'traceparent'
  | 'tracestate'
  | 'svc-caller'
  | 'svc-usage';

/** Headers that these routes use. Each one has a bit in the set of headers seen. */
const FIELDS = [
  'host',
  'content-length',
  'connection',
  'accept',
  'authorization',
  HEADERS.idempotencyKey,
  HEADERS.timeoutMs,
  HEADERS.prefer,
  HEADERS.ask,
  HEADERS.maxResultChars,
  HEADERS.searchId,
  HEADERS.maxPayment,
  HEADERS.actionVersion,
  HEADERS.userId,
  HEADERS.sessionId,
  HEADERS.connections,
  HEADERS.connectionNames,
  'traceparent',
  'tracestate',
  HEADERS.caller,
  HEADERS.usage,
] as const satisfies readonly FieldName[];

/** Headers that neither these routes nor `node:http` uses. */
const IGNORED = [
  'content-type',
  'user-agent',
  'accept-encoding',
  'accept-language',
  'accept-charset',
  'cache-control',
  'pragma',
  'priority',
  'dnt',
  'keep-alive',
  'baggage',
  'b3',
  'cookie',
  'forwarded',
  'via',
  'cdn-loop',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-dest',
];

interface Field {
  name: FieldName | undefined;
  bit: number;
}

/** Fields by name in lower case and in the form `Content-Length`: the two spellings of common clients. */
const KNOWN_FIELDS: ReadonlyMap<string, Field> = new Map(
  [
    ...FIELDS.map((name, index) => [name, { name, bit: 1 << index }] as const),
    ...IGNORED.map((name) => [name, { name: undefined, bit: 0 }] as const),
  ].flatMap(([name, field]) => [[name, field] as const, [capitalised(name), field] as const]),
);

const HOST_BIT = 1;

/** @param text the first bytes of a request as Latin-1, at most `MAX_HEAD_BYTES` */
export function parseRequestHead(text: string): RequestHead | undefined {
  const request = REQUEST_LINES.find(({ line }) => text.startsWith(line));
  if (!request) return undefined;
  const linesStart = request.line.length;
  FIELD_LINES.lastIndex = linesStart;
  if (!FIELD_LINES.test(text)) return undefined;
  const end = FIELD_LINES.lastIndex;
  const head: RequestHead = {
    path: request.path,
    bytes: end,
    contentLength: -1,
    authorization: undefined,
    idempotencyKey: undefined,
    timeoutMs: undefined,
    prefer: undefined,
    ask: undefined,
    maxResultChars: undefined,
    searchId: undefined,
    maxPayment: undefined,
    actionVersion: undefined,
    userId: undefined,
    sessionId: undefined,
    connections: undefined,
    connectionNames: undefined,
    traceparent: undefined,
    tracestate: undefined,
    caller: undefined,
    usage: undefined,
  };
  let seen = 0;
  for (let start = linesStart; start < end - 2; ) {
    const colon = text.indexOf(':', start);
    const lineEnd = text.indexOf('\r', colon);
    const field = knownField(text.slice(start, colon));
    if (!field || (seen & field.bit) !== 0) return undefined;
    if (field.name !== undefined) {
      seen |= field.bit;
      const value = text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1, lineEnd);
      if (value.endsWith(' ') || !setField(head, field.name, value)) return undefined;
    }
    start = lineEnd + 2;
  }
  return head.contentLength >= 0 && (seen & HOST_BIT) !== 0 ? head : undefined;
}

const IGNORED_FIELD: Field = { name: undefined, bit: 0 };

/** Ignores headers with the prefix `x-`: proxies and clients add them, and none changes how a request is read. */
function knownField(name: string): Field | undefined {
  const known = KNOWN_FIELDS.get(name) ?? KNOWN_FIELDS.get(name.toLowerCase());
  return known ?? (/^x-/i.test(name) ? IGNORED_FIELD : undefined);
}

/** Returns false for a value that `node:http` must handle. */
function setField(head: RequestHead, name: FieldName, value: string): boolean {
  switch (name) {
    case 'host':
      return true;
    case 'content-length':
      head.contentLength = CONTENT_LENGTH.test(value) ? Number(value) : -1;
      return head.contentLength >= 0;
    case 'connection':
      return isKeepAlive(value);
    case 'accept':
      return !value.includes('event-stream');
    case 'authorization':
      head.authorization = value;
      return true;
    case 'idempotency-key':
      head.idempotencyKey = value;
      return true;
    case 'svc-timeout-ms':
      head.timeoutMs = value;
      return true;
    case 'prefer':
      head.prefer = value;
      return true;
    case 'svc-ask':
      head.ask = value;
      return true;
    case 'svc-max-result-chars':
      head.maxResultChars = value;
      return true;
    case 'svc-search-id':
      head.searchId = value;
      return true;
    case 'svc-max-payment':
      head.maxPayment = value;
      return true;
    case 'svc-action-version':
      head.actionVersion = value;
      return true;
    case 'svc-user-id':
      head.userId = value;
      return true;
    case 'svc-session-id':
      head.sessionId = value;
      return true;
    case 'svc-connections':
      head.connections = value;
      return true;
    case 'svc-connection-names':
      head.connectionNames = value;
      return true;
    case 'traceparent':
      head.traceparent = value;
      return true;
    case 'tracestate':
      head.tracestate = value;
      return true;
    case 'svc-caller':
      head.caller = value;
      return true;
    case 'svc-usage':
      head.usage = value;
      return true;
  }
}

export function isKeepAlive(connection: string): boolean {
  return connection === 'keep-alive' || connection === 'Keep-Alive';
}

function capitalised(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase());
}
