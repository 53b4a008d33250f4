/** The part of `oidc-provider` that tests and benches use; it has no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): RequestListener;
    on(event: string, listener: (...values: never[]) => void): this;
    Grant: new (values: {
      clientId: string;
      accountId: string;
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    RefreshToken: new (
      values: Record<string, unknown>,
    ) => { save(): Promise<string> };
    AccessToken: { find(token: string): Promise<object | undefined> };
    Client: { find(id: string): Promise<object | undefined> };
  }
}
