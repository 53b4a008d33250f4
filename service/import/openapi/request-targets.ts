/** The addresses of an API's calls, with the credentials and headers of the settings. */
import { addressText } from './base-url';
import type { RequestPlan } from './build-request';

export interface RequestTarget {
  /** Such as `https://api.example.com/v1`. */
  address: string;
  /** Number of the actions with this address. */
  actions: number;
  /** Credentials and headers of the settings, such as `header authorization`. Contains no secret. */
  sent: string[];
}

export function requestTargets(plans: readonly Pick<RequestPlan, 'base' | 'credentials' | 'connection' | 'headers'>[]): RequestTarget[] {
  const byAddress = Map.groupBy(plans, ({ base }) => addressText(base));
  return [...byAddress].map(([address, there]) => ({ address, actions: there.length, sent: [...new Set(there.flatMap(sentWith))] }));
}

function sentWith({ credentials, connection, headers }: Pick<RequestPlan, 'credentials' | 'connection' | 'headers'>): string[] {
  return [
    ...credentials.map(({ in: place, name }) => `${place} ${name}`),
    ...(connection ? [`${connection.in} ${connection.name} of the connection`] : []),
    ...Object.keys(headers).map((name) => `header ${name}`),
  ];
}
