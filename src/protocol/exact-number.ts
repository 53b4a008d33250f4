/**
 * A number of a JSON text that a double would change, as an object: code that parses JSON and writes it again keeps its digits.
 *
 * Shape: `JSON.stringify` writes the digits as a number; on a runtime without `JSON.rawJSON` as a text.
 */
import { losesDigits, quoteNumbers, replaceNumbers } from './number-digits';

export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): unknown {
    return rawJson?.(this.digits) ?? this.digits;
  }
}

const { rawJSON: rawJson } = JSON as { rawJSON?: (text: string) => unknown };

/** `JSON.parse` that keeps all digits. */
export function parseExactJson(json: string, isExact = losesDigits): unknown {
  return withExactNumbers(JSON.parse(json), json, isExact);
}

/** @param value what `JSON.parse` makes of `json`; it is changed */
export function withExactNumbers(value: unknown, json: string, isExact = losesDigits): unknown {
  const quoted = quoteNumbers(json, isExact);
  return quoted === json ? value : replaceNumbers(value, JSON.parse(quoted), (digits) => new ExactNumber(digits));
}
