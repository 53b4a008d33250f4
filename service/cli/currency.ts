/** `--currency`, of `serve`, `dev` and `lint`. */
import { Option } from 'commander';
import { notEmpty } from '#sdk/cli/options';

const VARIABLE = 'SVC_CURRENCY';

export interface CurrencyFlags {
  /** Empty for an empty variable. */
  currency?: string;
}

export function currencyOption(): Option {
  return new Option('--currency <name>', 'currency of every price and budget, such as EUR or credits (default: USD)')
    .env(VARIABLE)
    .argParser(notEmpty(VARIABLE));
}

/** Undefined: the default of the service. */
export function currencyOf({ currency }: CurrencyFlags): string | undefined {
  return currency || undefined;
}
