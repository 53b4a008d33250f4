/**
 * Scans a large frame without parsing: reads its method or the invocation that it answers, and measures the cost of parsing.
 *
 * Shape:  the members of the outermost object and of its `params`. The last of equal names counts, as in `JSON.parse`.
 * Cost:   one pass over the text, a fraction of `JSON.parse`.
 */
import { FRAME_ERRORS, METHODS } from '#sdk/protocol/frames';
import { endOfString, MAX_JSON_DEPTH } from '#sdk/protocol/json-depth';
import { BadFrame } from './parse-frame';

export interface FrameHead {
  id: string | number | undefined;
  method: string | undefined;
  /** The invocation whose outcome the frame reports. */
  invocationId: string | undefined;
  /** Commas at any depth: about the number of values. */
  commas: number;
  /** Whether the frame has more levels than `MAX_JSON_DEPTH`. */
  isTooDeep: boolean;
}

/** Name of a member -> where its value starts. */
type Starts = Map<string, number>;

interface Outline {
  /** Empty for a value that is not an object. */
  members: Starts;
  /** The members of `params`. Empty for a value that is not an object. */
  params: Starts;
  commas: number;
  levels: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LEFT_BRACKET = 0x5b;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;

/** No frame of the protocol has longer names. */
const MAX_NAME_CHARS = 100;
/** No frame of the protocol has more members. */
const MAX_MEMBERS = 100;
/** The text of an id or a method. */
const SCALAR = /\s*("(?:[^"\\]|\\.){0,128}"|-?\d[\d.eE+-]{0,30})/y;

/** Throws BadFrame above MAX_MEMBERS. */
export function readFrameHead(text: string): FrameHead {
  const { members, params, commas, levels } = readOutline(text);
  const id = scalarAt(text, members.get('id'));
  const method = members.has('method') ? String(scalarAt(text, members.get('method'))) : undefined;
  const answered = method === undefined ? id : method === METHODS.result ? scalarAt(text, params.get('invocationId')) : undefined;
  const invocationId = answered === undefined ? undefined : String(answered);
  return { id, method, invocationId, commas, isTooDeep: levels > MAX_JSON_DEPTH };
}

function readOutline(text: string): Outline {
  const members: Starts = new Map();
  const params: Starts = new Map();
  let commas = 0;
  let depth = 0;
  let levels = 0;
  let count = 0;
  let isParams = false;
  let name: string | undefined;
  /** The map for the members of each depth; undefined for depths that are not read. */
  const keptAt: (Starts | undefined)[] = [undefined, members, undefined];
  let kept: Starts | undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      if (kept !== undefined && name === undefined) name = end - at <= MAX_NAME_CHARS ? text.slice(at, end + 1) : '';
      at = end;
    } else if (code === COMMA) {
      commas++;
      if (kept === undefined) continue;
      name = undefined;
      if (++count > MAX_MEMBERS) throw new BadFrame(FRAME_ERRORS.invalidRequest, `A frame has at most ${MAX_MEMBERS} members`);
    } else if (code === LEFT_BRACE || code === LEFT_BRACKET) {
      if (depth === 0 && code === LEFT_BRACKET) break;
      if (++depth > levels) levels = depth;
      if (depth === 2) keptAt[2] = isParams && code === LEFT_BRACE ? params : undefined;
      kept = depth <= 2 ? keptAt[depth] : undefined;
      name = undefined;
    } else if (code === RIGHT_BRACE || code === RIGHT_BRACKET) {
      if (--depth <= 0) break;
      kept = depth <= 2 ? keptAt[depth] : undefined;
      name = '';
    } else if (code === COLON && kept !== undefined) {
      const key = unquoted(name ?? '');
      kept.set(key, at + 1);
      if (depth > 1) continue;
      isParams = key === 'params';
      if (isParams) params.clear();
    }
  }
  return { members, params, commas, levels };
}

function scalarAt(text: string, start: number | undefined): string | number | undefined {
  if (start === undefined) return undefined;
  SCALAR.lastIndex = start;
  const literal = SCALAR.exec(text)?.[1];
  return literal?.startsWith('"') ? unquoted(literal) : literal === undefined ? undefined : Number(literal);
}

function unquoted(literal: string): string {
  try {
    return JSON.parse(literal);
  } catch {
    // An invalid escape. Parsing the frame reports this.
    return literal;
  }
}
