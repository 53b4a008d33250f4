/**
 * The operator's credentials, by the security schemes of the document.
 *
 * Errors: INVALID_REQUEST. No message contains a secret.
 */
import { SvcError } from 'svc-sdk';
import { credentialAt, type FixedCredential } from '../credential';
import type { Operation } from './operations';
import { credentialKindOf, credentialPlaceOf, type MissingCredential, notMade, type Security } from './security';

export interface OpenapiAuth {
  /** A token, for schemes of type `http` bearer, `oauth2` and `openIdConnect`. */
  bearer?: string | undefined;
  /** `user:password`, for `http` basic. */
  basic?: string | undefined;
  /** A key, for a single scheme of type `apiKey`. */
  apiKey?: string | undefined;
  /** Name of a scheme -> its secret, if the type is ambiguous. */
  schemes?: Readonly<Record<string, string>> | undefined;
}

export class Credentials {
  readonly #security: Security;
  /** Name of a scheme -> its credential. */
  readonly #known = new Map<string, FixedCredential>();
  /** The credentials for all operations, if the document names none that need them. */
  readonly #always: readonly FixedCredential[] | undefined;

  constructor(security: Security, auth: OpenapiAuth) {
    this.#security = security;
    this.#readAuth(auth);
    if (!security.isSaid) this.#always = security.schemes.size > 0 ? [...this.#known.values()].slice(0, 1) : withoutSchemes(auth);
  }

  /** The first satisfied requirement of the operation; a requirement without schemes is used last. */
  of(operation: Operation): readonly FixedCredential[] {
    if (this.#always) return this.#always;
    for (const requirement of this.#security.requirementsOf(operation)) {
      const credentials = [...requirement.keys()].map((name) => this.#known.get(name));
      if (credentials.length > 0 && credentials.every((credential) => credential !== undefined)) return credentials;
    }
    return [];
  }

  missing(operations: readonly Operation[]): MissingCredential[] {
    return this.#security.missing(operations, this.#known);
  }

  #readAuth(auth: OpenapiAuth): void {
    const { bearer, basic, apiKey, schemes = {} } = auth;
    const all = this.#security.schemes;
    const unknown = Object.keys(schemes).find((name) => !all.has(name));
    if (unknown !== undefined) {
      const names = [...all.keys()].join(', ') || 'none';
      throw new SvcError('INVALID_REQUEST', `auth.schemes: the document has no scheme ${JSON.stringify(unknown)}; it has ${names}`);
    }
    const impossible = [...all].find(([name, scheme]) => Object.hasOwn(schemes, name) && credentialKindOf(scheme) === undefined);
    if (impossible) throw new SvcError('INVALID_REQUEST', `auth.schemes: ${notMade(impossible[1])}`);
    const keys = [...all].filter(([name, { type }]) => type === 'apiKey' && !Object.hasOwn(schemes, name)).map(([name]) => name);
    if (apiKey !== undefined && keys.length !== 1) {
      const advice = keys.length === 0 ? 'no scheme for it; use headers: { "<name>": key }' : `several; write schemes: { ${keys[0]}: key }`;
      throw new SvcError('INVALID_REQUEST', `auth.apiKey: the document has ${advice}`);
    }
    const byKind = { bearer, basic, apiKey };
    for (const [name, scheme] of all) {
      const secret = Object.hasOwn(schemes, name) ? schemes[name] : byKind[credentialKindOf(scheme) ?? 'bearer'];
      const place = credentialPlaceOf(scheme);
      if (secret !== undefined && place) this.#known.set(name, credentialAt(place, secret));
    }
  }
}

/** A document without schemes, such as GitHub's. */
function withoutSchemes({ bearer, basic }: OpenapiAuth): FixedCredential[] {
  const place = { in: 'header', name: 'authorization' } as const;
  if (bearer !== undefined) return [credentialAt({ ...place, kind: 'bearer' }, bearer)];
  return basic === undefined ? [] : [credentialAt({ ...place, kind: 'basic' }, basic)];
}
