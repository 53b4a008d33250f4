/** A store that times its operations: `keys.findByHash`, `invocations.start`, … Without metrics the store is used as it is. */
import type { Store } from '../store/store';
import type { Metrics } from './metrics';

const PARTS = [
  'keys',
  'catalog',
  'invocations',
  'evidence',
  'vectors',
  'audit',
  'settings',
  'counts',
  'searches',
  'sightings',
  'misfits',
  'savedViews',
  'callers',
  'listings',
  'toolkitProfiles',
  'sessionRequests',
  'sessionSums',
  'ledger',
  'oauth',
  'connections',
  'connect',
  'approvals',
  'detached',
  'runs',
  'alerts',
] as const;

export function measuredStore(store: Store, metrics: Pick<Metrics, 'storeAnswered'>): Store {
  const parts = Object.fromEntries(PARTS.map((part) => [part, measured(part, store[part], metrics)])) as Pick<
    Store,
    (typeof PARTS)[number]
  >;
  return {
    ...parts,
    // The account library reads its tables directly.
    accounts: { ...measured('accounts', store.accounts, metrics), tables: store.accounts.tables },
    node: store.node,
    system: store.system,
    counter: (limit) => store.counter(limit),
    settling: (work) => store.settling((ledger) => work(measured('ledger', ledger, metrics))),
    onForeignChange: (listener) => store.onForeignChange(listener),
    close: () => store.close(),
  };
}

/**
 * Every method that returns a promise is timed until that settles; the promise itself is passed on, so that no result is a turn later. A method that
 * takes a callback as its last argument is timed until the callback.
 */
function measured<Part extends object>(name: string, part: Part, metrics: Pick<Metrics, 'storeAnswered'>): Part {
  const methods = methodNames(part).map((method) => {
    const operation = `${name}.${method}`;
    const work = Reflect.get(part, method) as (...args: unknown[]) => unknown;
    const timed = (...args: unknown[]) => {
      const startedAt = performance.now();
      const done = args.at(-1);
      if (typeof done === 'function') {
        const measuredDone = (error: unknown, value: unknown) => {
          metrics.storeAnswered(operation, error !== undefined, performance.now() - startedAt);
          done(error, value);
        };
        return work.apply(part, [...args.slice(0, -1), measuredDone]);
      }
      const result = work.apply(part, args);
      if (result instanceof Promise) {
        result.then(
          () => metrics.storeAnswered(operation, false, performance.now() - startedAt),
          () => metrics.storeAnswered(operation, true, performance.now() - startedAt),
        );
      }
      return result;
    };
    return [method, timed];
  });
  return Object.fromEntries(methods);
}

/** Own ones and those of its classes. */
function methodNames(part: object): string[] {
  const names = new Set<string>();
  for (let owner = part; owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const name of Object.getOwnPropertyNames(owner)) if (name !== 'constructor') names.add(name);
  }
  return [...names].filter((name) => typeof Reflect.get(part, name) === 'function');
}
