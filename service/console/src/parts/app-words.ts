/** Where an app is, in words. The service writes `localhost` for an app on the person's computer, and `cursor:` for a private scheme. */
export function appPlace(host: string): string {
  if (host === 'localhost') return 'an app on this computer';
  return host.endsWith(':') ? `an installed app (${host})` : host;
}

export interface AppClient {
  name: string;
  host: string;
  /** URL of the client's metadata document, whose host is verified. */
  document?: string;
}

/** `Claude (claude.ai)` */
export function appTitle({ name, host }: Pick<AppClient, 'name' | 'host'>): string {
  return name === host ? appPlace(host) : `${name} (${appPlace(host)})`;
}
