/**
 * The connection of an imported document: its type and place from a security scheme, and which operations need it.
 *
 * Shape:  every scheme with the place of the chosen one is satisfied by it, such as `oauth2` beside `http` bearer.
 * Errors: INVALID_REQUEST.
 */
import { SvcError } from 'svc-sdk';
import type { ActionAuth, ToolkitAuth } from '#sdk/protocol/connections';
import type { JsonObject } from '#sdk/protocol/json-object';
import { type ConnectionSettings, checkedAuth } from '../connection-settings';
import { type CredentialPlace, placeOfAuth } from '../credential';
import type { Operation } from './operations';
import { codeFlow, credentialKindOf, credentialPlaceOf, type MissingCredential, type Security } from './security';

/** A registration has no more. */
const MAX_SCOPES = 100;

export class ConnectionPlan {
  readonly place: CredentialPlace;
  readonly #security: Security;
  readonly #settings: ConnectionSettings;
  readonly #auth: ToolkitAuth;
  /** The satisfied schemes. Empty: the document has none for it, and it goes with every operation that needs a credential. */
  readonly #schemes: ReadonlySet<string>;

  constructor(security: Security, operations: readonly Operation[], settings: ConnectionSettings) {
    this.#security = security;
    this.#settings = settings;
    const chosen = chooseScheme(security, operations, settings);
    const scheme = chosen === undefined ? undefined : security.schemes.get(chosen);
    const found = scheme ? authOfScheme(scheme, settings) : undefined;
    this.#auth = checkedAuth(settings, found ?? { type: settings.type ?? 'bearer' });
    this.place = placeOfAuth(this.#auth);
    const isSatisfied = (each: JsonObject) => each === scheme || isSamePlace(credentialPlaceOf(each), this.place);
    this.#schemes = new Set(scheme ? [...security.schemes].filter(([, each]) => isSatisfied(each)).map(([name]) => name) : []);
  }

  /** False for an operation without security, and for one whose schemes are others. */
  isFor(operation: Operation): boolean {
    if (!this.#security.isSaid) return true;
    const names = this.#security.requirementsOf(operation).flatMap((requirement) => [...requirement.keys()]);
    return this.#schemes.size === 0 ? names.length > 0 : names.some((name) => this.#schemes.has(name));
  }

  actionAuth(operation: Operation): ActionAuth | undefined {
    if (!this.isFor(operation)) return false;
    const scopes = this.#scopesOf(operation);
    return scopes.length > 0 ? { scopes } : undefined;
  }

  /** The toolkit asks for it with these operations. Undefined if none of them needs a connection. */
  authOf(operations: readonly Operation[]): ToolkitAuth | undefined {
    const needing = operations.filter((operation) => this.isFor(operation));
    if (needing.length === 0) return undefined;
    const scopes = [...new Set(needing.flatMap((operation) => this.#scopesOf(operation)))];
    if (this.#auth.scopes || scopes.length === 0) return this.#auth;
    if (scopes.length <= MAX_SCOPES) return { ...this.#auth, scopes };
    if (this.#auth.from === 'caller') return this.#auth;
    const advice = 'choose operations with include, or give auth: { from, scopes }';
    throw new SvcError(
      'INVALID_REQUEST',
      `auth: the operations need ${scopes.length} scopes, and a sign-in asks for ${MAX_SCOPES}: ${advice}`,
    );
  }

  missing(operations: readonly Operation[]): MissingCredential[] {
    return this.#security.missing(operations, this.#schemes.size === 0 ? { has: () => true } : this.#schemes);
  }

  /** The scopes of the first requirement with the connection. Only a sign-in has some. */
  #scopesOf(operation: Operation): string[] {
    if (this.#auth.type !== 'oauth2' || this.#settings.scopes) return [];
    for (const requirement of this.#security.requirementsOf(operation)) {
      const names = [...requirement.keys()].filter((name) => this.#schemes.has(name));
      if (names.length > 0) return [...new Set(names.flatMap((name) => requirement.get(name) ?? []))];
    }
    return [];
  }
}

/** The one that most operations accept. Undefined if the settings alone say all. */
function chooseScheme(
  security: Security,
  operations: readonly Operation[],
  { scheme: named, type }: ConnectionSettings,
): string | undefined {
  const usable = [...security.schemes].filter(([, scheme]) => isUsable(scheme));
  if (named !== undefined) {
    if (usable.some(([name]) => name === named)) return named;
    const names = usable.map(([name]) => name).join(', ') || 'none';
    throw new SvcError(
      'INVALID_REQUEST',
      `auth.scheme: the document has no scheme ${JSON.stringify(named)} for a connection; it has ${names}`,
    );
  }
  const fitting = usable.filter(([, scheme]) => type === undefined || credentialKindOf(scheme) === (type === 'oauth2' ? 'bearer' : type));
  const accepting = ([name]: [string, JsonObject]) =>
    operations.filter((operation) => security.requirementsOf(operation).some((requirement) => requirement.has(name))).length;
  const [first] = fitting.map((each) => ({ name: each[0], count: accepting(each) })).sort((one, other) => other.count - one.count);
  if (first || type !== undefined) return first?.name;
  const advice = 'give its type: auth: { from: user, type: bearer }';
  throw new SvcError('INVALID_REQUEST', `auth: the document has no security scheme for a connection; ${advice}`);
}

/** No service asks for a cookie. */
function isUsable(scheme: JsonObject): boolean {
  const place = credentialPlaceOf(scheme);
  return place !== undefined && place.in !== 'cookie';
}

function authOfScheme(scheme: JsonObject, settings: ConnectionSettings): Omit<ToolkitAuth, 'from'> {
  const place = credentialPlaceOf(scheme) as CredentialPlace;
  if (place.kind === 'basic' || settings.type === 'basic') return { type: 'basic' };
  if (place.kind === 'apiKey') return { type: 'apiKey', in: place.in as 'header' | 'query', name: place.name };
  const flow = codeFlow(scheme);
  const isSignIn =
    settings.type === 'oauth2' || settings.authorizationUrl !== undefined || (settings.type === undefined && flow !== undefined);
  return isSignIn ? { type: 'oauth2', ...flow } : { type: 'bearer' };
}

function isSamePlace(one: CredentialPlace | undefined, other: CredentialPlace): boolean {
  return one?.kind === other.kind && one.in === other.in && one.name.toLowerCase() === other.name.toLowerCase();
}
