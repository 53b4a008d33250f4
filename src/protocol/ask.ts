/**
 * The `Svc-Ask` header: the caller's own rules about calls that its human approves, such as `destructive, above=0.50`. The service asks about such a
 * call as if a rule of the key did, with `decidedBy: 'app'`.
 *
 * Shape:  words, separated by commas. `always`: every call. `destructive`: actions that are declared so. `above=<amount>`: actions that may cost more.
 * Source: docs/protocol.md, section 5.
 */
import { toMillionths } from './amount';
import { SvcError } from './errors';

export interface CallerAsk {
  always?: boolean;
  destructive?: boolean;
  /** An amount. */
  above?: string;
}

/** Undefined for a caller that asks about nothing. */
export function writeAsk({ always, destructive, above }: CallerAsk): string | undefined {
  const words = [always && 'always', destructive && 'destructive', above !== undefined && `above=${above}`].filter(Boolean);
  return words.join(', ') || undefined;
}

/**
 * Refuses a word that it does not know: to ignore a rule would run what its caller wants to be asked about.
 *
 * @throws SvcError INVALID_REQUEST
 */
export function readAsk(header: string | undefined): CallerAsk | undefined {
  if (header === undefined) return undefined;
  const ask: CallerAsk = {};
  for (const word of header.split(',').map((part) => part.trim().toLowerCase())) {
    const above = word.startsWith('above=') ? word.slice('above='.length) : undefined;
    if (toMillionths(above) !== undefined && ask.above === undefined) ask.above = above as string;
    else if (word === 'always' || word === 'destructive') ask[word] = true;
    else
      throw new SvcError(
        'INVALID_REQUEST',
        'Svc-Ask has the words `always`, `destructive` and `above=<amount>`, each once, separated by commas',
      );
  }
  return ask;
}
