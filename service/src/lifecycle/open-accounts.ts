import { Accounts } from '../accounts/accounts';
import { ChangeLimits } from '../accounts/change-limits';
import type { ConsoleOptions } from '../accounts/console-options';
import type { Audit } from '../audit/audit';
import type { KeyRing } from '../keys/key-ring';
import type { Logger } from '../lib/logger';
import type { Records } from '../records/records';
import type { Store } from '../store/store';

export interface OpenAccountsDeps {
  store: Store;
  keys: KeyRing;
  /** Undefined while the console is off. */
  console: ConsoleOptions | undefined;
  records: Records | undefined;
  audit: Audit;
  logger: Logger;
}

export interface OpenedAccounts {
  changeLimits: ChangeLimits;
  /** Undefined while the console is off: then only admin keys use the admin API. */
  accounts: Accounts | undefined;
}

export function openAccounts({ store, keys, console, records, audit, logger }: OpenAccountsDeps): OpenedAccounts {
  const changeLimits = new ChangeLimits(store);
  const accounts = console && new Accounts({ store, keys, audit, changeLimits, logger, ...console });
  accounts?.onChange(() => records?.changed('people'));
  return { changeLimits, accounts };
}
