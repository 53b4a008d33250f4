/** Adds up the sums of a session id that several agent keys sent. */
import type { SessionPage } from '#sdk/protocol/admin';
import { millionthsOf, toAmount } from '#sdk/protocol/amount';

export interface SessionSum {
  searches: number;
  inVain: number;
  calls: number;
  errors: number;
  /** A decimal text. */
  cost: string;
  /** Input and output. */
  tokens: number;
  /** Milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
}

/** Undefined without any: the sums of records from before may be gone. */
export function sessionTotal(sums: SessionPage['sums']): SessionSum | undefined {
  if (sums.length === 0) return undefined;
  const total = (numberOf: (sum: SessionPage['sums'][number]) => number) => sums.reduce((all, sum) => all + numberOf(sum), 0);
  return {
    searches: total(({ searches }) => searches),
    inVain: total(({ inVain }) => inVain),
    calls: total(({ calls }) => calls),
    errors: total(({ errors }) => errors),
    cost: toAmount(sums.reduce((all, { cost }) => all + millionthsOf(cost), 0n)),
    tokens: total(({ tokens: { input, output } }) => input + output),
    firstAt: Math.min(...sums.map(({ firstAt }) => Date.parse(firstAt))),
    lastAt: Math.max(...sums.map(({ lastAt }) => Date.parse(lastAt))),
  };
}
