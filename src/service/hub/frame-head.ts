/**
 * Reads the head of a large frame without parsing the frame: its method, or the invocation that it answers.
 *
 * Shape:  the members of the outermost object alone. Of members with one name the last counts, as in `JSON.parse`.
 * Cost:   one pass over the text, a fraction of `JSON.parse`.
 */
import { FRAME_ERRORS, METHODS } from '../../protocol/frames';
import { endOfString } from '../lib/json-depth';
import { BadFrame } from './parse-frame';

export interface FrameHead {
  id: string | number | undefined;
  method: string | undefined;
  /** The invocation whose outcome the frame has. */
  invocationId: string | undefined;
  /** Commas at any depth: about the number of values. */
  commas: number;
}

interface Members {
  /** Name -> where the value starts. Empty for anything but an object. */
  starts: Map<string, number>;
  commas: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LEFT_BRACKET = 0x5b;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;

/** Longer names are in no frame of the protocol. */
const MAX_NAME_CHARS = 100;
/** More members are in no frame of the protocol. */
const MAX_MEMBERS = 100;
/** An id or a method. */
const SCALAR = /\s*("(?:[^"\\]|\\.){0,128}"|-?\d[\d.eE+-]{0,30})/y;

/** Throws BadFrame for more members than any frame has. */
export function readFrameHead(text: string): FrameHead {
  const { starts: members, commas } = readMembers(text, 0);
  const id = scalarAt(text, members.get('id'));
  const method = scalarAt(text, members.get('method'));
  if (members.has('method')) {
    const isLate = method === METHODS.result && members.has('params');
    const invocationId = isLate ? scalarAt(text, readMembers(text, members.get('params') ?? 0).starts.get('invocationId')) : undefined;
    return { id, method: String(method), invocationId: invocationId === undefined ? undefined : String(invocationId), commas };
  }
  return { id, method: undefined, invocationId: id === undefined ? undefined : String(id), commas };
}

function readMembers(text: string, start: number): Members {
  const starts = new Map<string, number>();
  let members = 0;
  let commas = 0;
  let depth = 0;
  let name: string | undefined;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      if (depth === 1 && name === undefined) name = end - at <= MAX_NAME_CHARS ? text.slice(at, end + 1) : '';
      at = end;
    } else if (code === LEFT_BRACE || code === LEFT_BRACKET) {
      if (depth === 0 && code === LEFT_BRACKET) return { starts, commas };
      depth++;
    } else if (code === RIGHT_BRACE || code === RIGHT_BRACKET) {
      depth--;
      if (depth <= 0) return { starts, commas };
    } else if (depth === 1 && code === COLON) starts.set(unquoted(name ?? ''), at + 1);
    else if (code === COMMA) {
      commas++;
      if (depth > 1) continue;
      name = undefined;
      if (++members > MAX_MEMBERS) throw new BadFrame(FRAME_ERRORS.invalidRequest, `A frame has at most ${MAX_MEMBERS} members`);
    }
  }
  return { starts, commas };
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
    // A wrong escape: the frame is not JSON, which its parsing reports.
    return literal;
  }
}
