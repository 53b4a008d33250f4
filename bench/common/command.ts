/** The command line of a bench: `--help` prints the usage and exits with 0; a wrong option prints one line and exits with 2. */
import { Command, InvalidArgumentError } from 'commander';

/** @param usage how to start the bench, such as `npm run bench --` */
export function benchCommand(usage: string): Command {
  return new Command(usage)
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** Parses the value of an option, as do the functions below. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('It needs a number above 0.');
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('It needs a whole number above 0.');
}

export function wholeNumberOrZero(text: string): number {
  return Number(text) === 0 ? 0 : wholeNumber(text);
}

/** Collects the values of an option that may be given several times. */
export function collect(text: string, former: readonly string[]): string[] {
  return [...former, text];
}
