/**
 * Bytes -> text, by their byte order mark, else by their charset, else as UTF-8. No text has a byte order mark.
 *
 * Source: WHATWG Encoding, "BOM sniff" and "names and labels".
 */
import { SvcError } from './errors';

/** Signs of bytes that are not text: the controls of ASCII, but not tab, line feed, form feed and carriage return. */
const CONTROLS = /[^\P{Cc}\t\n\f\r\u0080-\u009f]/u;
/** The encoding that browsers take for a text that names none and is not UTF-8. */
const LEGACY = 'windows-1252';

interface TextFacts {
  /** As the sender states it; unknown ones do not count. */
  charset?: string | undefined;
  /** The sender calls it a text. False: it is one if it reads like one. */
  isText: boolean;
}

/** Undefined for bytes that are not text. */
export function decodeText(bytes: Uint8Array, { charset, isText }: TextFacts): string | undefined {
  const encoding = markedEncoding(bytes, isText) ?? knownEncoding(charset);
  const exact = decode(bytes, encoding ?? 'utf-8', true);
  if (exact !== undefined) return isText || !CONTROLS.test(exact) ? exact : undefined;
  const nearest = isText ? (encoding === undefined ? nearestText(bytes) : decode(bytes, encoding, false)) : undefined;
  return nearest === undefined || CONTROLS.test(nearest) ? undefined : nearest;
}

/** A text with some letters that are UTF-8 has a fault; one without is of another encoding. */
function nearestText(bytes: Uint8Array): string | undefined {
  const text = decode(bytes, 'utf-8', false);
  return text !== undefined && /[\u0080-\ufffc]/.test(text) ? text : decode(bytes, LEGACY, false);
}

/** The `charset` of a content type. */
export function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
}

/** The text of a document or a file of settings. Throws INVALID_REQUEST. */
export function textOfFile(bytes: Uint8Array, shown: string): string {
  const text = decodeText(bytes, { isText: true });
  if (text === undefined) throw new SvcError('INVALID_REQUEST', `${shown} is not a text`);
  return text;
}

/** The same for what is a text already, because `JSON.parse` refuses the mark. */
export function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Binary data may begin with the byte order mark of UTF-16 by chance. */
function markedEncoding([first, second, third]: Uint8Array, isText: boolean): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (!isText) return undefined;
  return first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function knownEncoding(charset: string | undefined): string | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}

/** Undefined when it must be exact and is not. */
function decode(bytes: Uint8Array, encoding: string, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}
