/**
 * The operator's credentials, by the security schemes of the document.
 *
 * Errors: INVALID_REQUEST. No message contains a secret.
 * Source: OpenAPI 3.1.1, Security Scheme Object and Security Requirement Object.
 */
import { Buffer } from 'node:buffer';
import { SvcError } from 'svc-sdk';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { SkippedPart } from '../imported-action';
import type { OpenapiDocument } from './document';
import type { Operation } from './operations';

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

/** A required scheme without a credential. */
export interface MissingCredential {
  scheme: string;
  /** Such as `oauth2`. */
  type: string;
  operations: number;
}

/** A part of a request with a secret. */
export interface FixedCredential {
  in: 'header' | 'query' | 'cookie';
  name: string;
  value: string;
}

export class Credentials {
  readonly #schemes: ReadonlyMap<string, JsonObject>;
  /** Name of a scheme -> its credential. */
  readonly #known = new Map<string, FixedCredential>();
  readonly #global: readonly unknown[] | undefined;
  /** True if the document names the operations that need them. */
  readonly #isSaid: boolean;
  /** The credentials for all operations, if it names none. */
  readonly #always: readonly FixedCredential[] | undefined;

  constructor(document: OpenapiDocument, operations: readonly Operation[], auth: OpenapiAuth) {
    const { securitySchemes } = document.object(document.root.components) ?? {};
    const schemes = Object.entries(isObject(securitySchemes) ? securitySchemes : {});
    this.#schemes = new Map(schemes.map(([name, scheme]) => [name, document.object(scheme) ?? {}]));
    this.#readAuth(auth);
    this.#global = Array.isArray(document.root.security) ? document.root.security : undefined;
    this.#isSaid = this.#global !== undefined || operations.some(({ security }) => security !== undefined);
    if (!this.#isSaid) this.#always = this.#schemes.size > 0 ? [...this.#known.values()].slice(0, 1) : withoutSchemes(auth);
  }

  /** The first satisfied requirement of the operation; a requirement without schemes is used last. */
  of({ security }: Operation): readonly FixedCredential[] {
    if (this.#always) return this.#always;
    for (const names of requirements(security ?? this.#global)) {
      const credentials = names.map((name) => this.#known.get(name));
      if (names.length > 0 && credentials.every((credential) => credential !== undefined)) return credentials;
    }
    return [];
  }

  /** The document's places for the operation's credentials, set or not: one text for each requirement, in order. */
  placesOf({ security }: Operation): string[] {
    const always = this.#isSaid ? undefined : [...this.#schemes.keys()].map((name) => [name]);
    const needed = always ?? requirements(security ?? this.#global);
    return needed.map((names) => names.map((name) => `${name}: ${placeText(this.#schemes.get(name) ?? {})}`).join(' and ') || 'none');
  }

  missing(operations: readonly Operation[]): MissingCredential[] {
    const counts = new Map<string, number>();
    for (const operation of operations) {
      const needed = requirements(operation.security ?? this.#global);
      if (needed.length === 0 || needed.some((names) => names.every((name) => this.#known.has(name)))) continue;
      for (const name of needed[0]?.filter((each) => !this.#known.has(each)) ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].map(([scheme, count]) => ({
      scheme,
      type: typeOf(this.#schemes.get(scheme) ?? {}),
      operations: count,
    }));
  }

  /** Required schemes of these operations for which no credential can be made. */
  skipped(operations: readonly Operation[]): SkippedPart[] {
    const used = new Set(operations.flatMap(({ security }) => requirements(security ?? this.#global).flat()));
    return [...this.#schemes].flatMap(([name, scheme]) => {
      const isLeftOut = used.has(name) && kindOf(scheme) === undefined;
      return isLeftOut ? [{ what: `security scheme ${name}`, why: notMade(scheme) }] : [];
    });
  }

  #readAuth(auth: OpenapiAuth): void {
    const { bearer, basic, apiKey, schemes = {} } = auth;
    const unknown = Object.keys(schemes).find((name) => !this.#schemes.has(name));
    if (unknown !== undefined) {
      const names = [...this.#schemes.keys()].join(', ') || 'none';
      throw new SvcError('INVALID_REQUEST', `auth.schemes: the document has no scheme ${JSON.stringify(unknown)}; it has ${names}`);
    }
    const impossible = [...this.#schemes].find(([name, scheme]) => Object.hasOwn(schemes, name) && kindOf(scheme) === undefined);
    if (impossible) throw new SvcError('INVALID_REQUEST', `auth.schemes: ${notMade(impossible[1])}`);
    const keys = [...this.#schemes].filter(([name, { type }]) => type === 'apiKey' && !Object.hasOwn(schemes, name)).map(([name]) => name);
    if (apiKey !== undefined && keys.length !== 1) {
      const advice = keys.length === 0 ? 'no scheme for it; use headers: { "<name>": key }' : `several; write schemes: { ${keys[0]}: key }`;
      throw new SvcError('INVALID_REQUEST', `auth.apiKey: the document has ${advice}`);
    }
    const byKind = { bearer, basic, apiKey };
    for (const [name, scheme] of this.#schemes) {
      const secret = Object.hasOwn(schemes, name) ? schemes[name] : byKind[kindOf(scheme) ?? 'bearer'];
      const credential = secret === undefined ? undefined : toCredential(scheme, secret);
      if (credential) this.#known.set(name, credential);
    }
  }
}

function notMade(scheme: JsonObject): string {
  if (scheme.type === 'mutualTLS') return 'a client certificate is not sent';
  return `a credential of type ${typeOf(scheme)} is not made; a header can be given in "headers"`;
}

/** Such as `oauth2`, and `http digest` for an unsupported kind of http. */
function typeOf(scheme: JsonObject): string {
  const { type = 'unknown', scheme: name } = scheme;
  return type === 'http' && kindOf(scheme) === undefined ? `http ${String(name).slice(0, 40)}` : String(type);
}

function requirements(security: readonly unknown[] | undefined): string[][] {
  return (security ?? []).filter(isObject).map((requirement) => Object.keys(requirement));
}

/** A document without schemes, such as GitHub's. */
function withoutSchemes({ bearer, basic }: OpenapiAuth): FixedCredential[] {
  if (bearer !== undefined) return [authorization(`Bearer ${bearer}`)];
  return basic === undefined ? [] : [authorization(toBasic(basic))];
}

function kindOf({ type, scheme }: JsonObject): 'bearer' | 'basic' | 'apiKey' | undefined {
  if (type === 'apiKey') return 'apiKey';
  if (type === 'oauth2' || type === 'openIdConnect') return 'bearer';
  const name = type === 'http' && typeof scheme === 'string' ? scheme.toLowerCase() : undefined;
  return name === 'bearer' || name === 'basic' ? name : undefined;
}

function toCredential(scheme: JsonObject, secret: string): FixedCredential | undefined {
  const kind = kindOf(scheme);
  if (kind === 'bearer') return authorization(`Bearer ${secret}`);
  if (kind === 'basic') return authorization(toBasic(secret));
  const place = scheme.in === 'query' || scheme.in === 'cookie' ? scheme.in : 'header';
  return kind === 'apiKey' && typeof scheme.name === 'string' ? { in: place, name: scheme.name, value: secret } : undefined;
}

function placeText(scheme: JsonObject): string {
  const kind = kindOf(scheme);
  const { in: place, name } = toCredential(scheme, '') ?? {};
  return place === undefined ? String(scheme.type ?? 'unknown') : `${place} ${name} (${kind})`;
}

function authorization(value: string): FixedCredential {
  return { in: 'header', name: 'authorization', value };
}

function toBasic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword).toString('base64')}`;
}
