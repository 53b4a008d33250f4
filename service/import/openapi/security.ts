/**
 * The security schemes of a document, and which of them its operations require.
 *
 * Source: OpenAPI 3.1.1, Security Scheme Object and Security Requirement Object.
 */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { CredentialKind, CredentialPlace } from '../credential';
import type { SkippedPart } from '../imported-action';
import type { OpenapiDocument } from './document';
import type { Operation } from './operations';

/** A required scheme without a credential. */
export interface MissingCredential {
  scheme: string;
  /** Such as `oauth2`. */
  type: string;
  operations: number;
}

/** Schemes that are needed together: name -> its scopes. */
type Requirement = ReadonlyMap<string, readonly string[]>;

export class Security {
  readonly schemes: ReadonlyMap<string, JsonObject>;
  /** True if the document names the operations that need a credential. */
  readonly isSaid: boolean;
  readonly #global: readonly unknown[] | undefined;

  constructor(document: OpenapiDocument, operations: readonly Operation[]) {
    const { securitySchemes } = document.object(document.root.components) ?? {};
    const schemes = Object.entries(isObject(securitySchemes) ? securitySchemes : {});
    this.schemes = new Map(schemes.map(([name, scheme]) => [name, document.object(scheme) ?? {}]));
    this.#global = Array.isArray(document.root.security) ? document.root.security : undefined;
    this.isSaid = this.#global !== undefined || operations.some(({ security }) => security !== undefined);
  }

  /** One of them is enough. One without schemes needs no credential. */
  requirementsOf({ security = this.#global }: Operation): Requirement[] {
    return (security ?? [])
      .filter(isObject)
      .map((requirement) => new Map(Object.entries(requirement).map(([name, scopes]) => [name, textsOf(scopes)])));
  }

  /** The document's places for the operation's credentials, set or not: one text for each requirement, in order. */
  placesOf(operation: Operation): string[] {
    const needed = this.isSaid
      ? this.requirementsOf(operation)
      : [...this.schemes.keys()].map((name): Requirement => new Map([[name, []]]));
    return needed.map(
      (requirement) =>
        [...requirement].map(([name, scopes]) => `${name}: ${placeText(this.schemes.get(name) ?? {}, scopes)}`).join(' and ') || 'none',
    );
  }

  /** @param known the schemes with a credential */
  missing(operations: readonly Operation[], known: { has(scheme: string): boolean }): MissingCredential[] {
    const counts = new Map<string, number>();
    for (const operation of operations) {
      const needed = this.requirementsOf(operation).map((requirement) => [...requirement.keys()]);
      if (needed.length === 0 || needed.some((names) => names.every((name) => known.has(name)))) continue;
      for (const name of needed[0]?.filter((each) => !known.has(each)) ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].map(([scheme, count]) => ({ scheme, type: typeOf(this.schemes.get(scheme) ?? {}), operations: count }));
  }

  /** Required schemes of these operations for which no credential can be made. */
  skipped(operations: readonly Operation[]): SkippedPart[] {
    const used = new Set(
      operations.flatMap((operation) => this.requirementsOf(operation).flatMap((requirement) => [...requirement.keys()])),
    );
    return [...this.schemes].flatMap(([name, scheme]) => {
      const isLeftOut = used.has(name) && credentialKindOf(scheme) === undefined;
      return isLeftOut ? [{ what: `security scheme ${name}`, why: notMade(scheme) }] : [];
    });
  }
}

/** Undefined for a scheme without a credential that can be sent. */
export function credentialKindOf({ type, scheme }: JsonObject): CredentialKind | undefined {
  if (type === 'apiKey') return 'apiKey';
  if (type === 'oauth2' || type === 'openIdConnect') return 'bearer';
  const name = type === 'http' && typeof scheme === 'string' ? scheme.toLowerCase() : undefined;
  return name === 'bearer' || name === 'basic' ? name : undefined;
}

export function credentialPlaceOf(scheme: JsonObject): CredentialPlace | undefined {
  const kind = credentialKindOf(scheme);
  if (kind !== 'apiKey') return kind && { kind, in: 'header', name: 'authorization' };
  const place = scheme.in === 'query' || scheme.in === 'cookie' ? scheme.in : 'header';
  return typeof scheme.name === 'string' ? { kind, in: place, name: scheme.name } : undefined;
}

/** The code flow of an `oauth2` scheme, if it names both of its endpoints. Relative ones are undefined. */
export function codeFlow({ type, flows }: JsonObject): { authorizationUrl: string; tokenUrl: string } | undefined {
  const flow = type === 'oauth2' && isObject(flows) && isObject(flows.authorizationCode) ? flows.authorizationCode : {};
  const [authorizationUrl, tokenUrl] = [httpAddress(flow.authorizationUrl), httpAddress(flow.tokenUrl)];
  return authorizationUrl === undefined || tokenUrl === undefined ? undefined : { authorizationUrl, tokenUrl };
}

export function notMade(scheme: JsonObject): string {
  if (scheme.type === 'mutualTLS') return 'a client certificate is not sent';
  return `a credential of type ${typeOf(scheme)} is not made; a header can be given in "headers"`;
}

/** Such as `oauth2`, and `http digest` for an unsupported kind of http. */
function typeOf(scheme: JsonObject): string {
  const { type = 'unknown', scheme: name } = scheme;
  return type === 'http' && credentialKindOf(scheme) === undefined ? `http ${String(name).slice(0, 40)}` : String(type);
}

/** The endpoints of a sign-in decide where a user types a password, and its scopes for what. */
function placeText(scheme: JsonObject, scopes: readonly string[]): string {
  const place = credentialPlaceOf(scheme);
  if (!place) return String(scheme.type ?? 'unknown');
  const { authorizationUrl, tokenUrl } = codeFlow(scheme) ?? {};
  const signIn = authorizationUrl === undefined ? '' : `, sign-in ${authorizationUrl} ${tokenUrl}`;
  return `${place.in} ${place.name} (${place.kind})${signIn}${scopes.length > 0 ? `, scopes ${scopes.join(' ')}` : ''}`;
}

function httpAddress(address: unknown): string | undefined {
  const url = typeof address === 'string' ? URL.parse(address.trim()) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}
