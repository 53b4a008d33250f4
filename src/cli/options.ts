/** How options are read, the same in every command. */
import { InvalidArgumentError } from 'commander';

export function parseWholeNumber(text: string): number {
  // Number('') is 0: an empty variable in a script would choose any free port.
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new InvalidArgumentError('Not a whole number.');
  return number;
}

export function wholeNumberFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = parseWholeNumber(text);
    if (number < least || number > most) throw new InvalidArgumentError(`It is from ${least} to ${most}.`);
    return number;
  };
}

export function portNumber(text: string): number {
  const port = parseWholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('A port is at most 65535.');
  return port;
}

export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError('Not a number above 0.');
  return number;
}

/** Collects an option that may be given several times: `--limit queueLength=10 --limit heartbeatMs=1000`. */
export function nameAndNumber(text: string, before: Record<string, number> = {}): Record<string, number> {
  const [name = '', value] = text.split('=', 2);
  if (value === undefined) throw new InvalidArgumentError('Write name=value.');
  return { ...before, [name]: parseWholeNumber(value) };
}

/** Quotes a word for a command to paste: a path with a space in it stays one word. */
export function shellWord(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text;
}

/**
 * An empty flag is a mistake, such as `--database "$URL"` in a script where that is not set: the service would run on other data, or without
 * the other nodes. An empty variable of our own is none.
 *
 * @param variable commander reads it by the same function
 */
export function notEmpty(variable?: string): (text: string) => string {
  return (text) => {
    if (text === '' && (variable === undefined || process.env[variable] !== '')) throw new InvalidArgumentError('It is empty.');
    return text;
  };
}

export function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}
