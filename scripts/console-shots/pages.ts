/** Every page of the console, in a state that is worth a picture. */
import type { Page } from 'playwright-core';
import type { Stage } from './stage.ts';

export interface ShownPage {
  /** Of the picture: `docs/images/console/<name>.png`. */
  name: string;
  path(stage: Stage): string;
  /** For whoever is not signed in. */
  public?: true;
  /** What a person did on it before. */
  prepare?(page: Page): Promise<void>;
}

export const PAGES: ShownPage[] = [
  { name: 'sign-in', path: () => '/sign-in', public: true },
  { name: 'join', path: ({ joinToken }) => `/join#${joinToken}`, public: true },
  { name: 'overview', path: () => '/' },
  { name: 'start', path: () => '/start' },
  { name: 'search', path: () => '/search?query=where%20is%20my%20parcel' },
  { name: 'action', path: () => '/actions/orders__change_address' },
  { name: 'toolkits', path: () => '/toolkits' },
  { name: 'toolkit', path: () => '/toolkits/warehouse' },
  { name: 'demand', path: () => '/demand' },
  { name: 'calls', path: () => '/calls' },
  { name: 'call', path: ({ failedCall }) => `/calls/${failedCall}` },
  { name: 'keys', path: () => '/keys' },
  { name: 'people', path: () => '/people' },
  { name: 'audit', path: () => '/audit' },
  { name: 'settings', path: () => '/settings' },
  { name: 'account', path: () => '/account' },
];
