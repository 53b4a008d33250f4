/**
 * Stored data of the OAuth server: authorization codes, and the grants that their use made. Tokens are signed and not stored.
 *
 * Terms:  a grant is *live* until it ends, is idle for too long, or expires.
 * Units:  times are milliseconds since the epoch.
 * Errors: as in `store.ts`.
 */

export interface CodeRecord {
  /** SHA-256 of the code, lower-case hex. */
  hash: string;
  /** JSON of the authorization request that the code answers. */
  request: string;
  expiresAt: number;
}

export interface UsedCode extends CodeRecord {
  usedAt: number | null;
  /** The grant that the use of the code made. */
  grantId: string | null;
}

export interface GrantRecord {
  /** Base 62. */
  id: string;
  /** The agent key whose tokens the grant issues. */
  keyId: string;
  personId: string;
  /** SHA-256 of the client id, lower-case hex. */
  clientHash: string;
  /** JSON: name, host and document of the client. */
  client: string;
  /** Number of the newest refresh token. */
  generation: number;
  rotatedAt: number;
  /** The last use, exact to a minute. */
  usedAt: number;
  createdAt: number;
  idleUntil: number;
  expiresAt: number;
  endedAt: number | null;
}

export interface OAuthStore {
  /** Also removes codes that expired some time ago. */
  addCode(code: CodeRecord): Promise<void>;
  code(hash: string): Promise<UsedCode | undefined>;
  /** False for a code that is used, expired or missing; of two concurrent calls one succeeds. */
  useCode(hash: string, use: { at: number; grantId: string }): Promise<boolean>;
  addGrant(grant: GrantRecord): Promise<void>;
  grant(id: string): Promise<GrantRecord | undefined>;
  /** Replaces generation `from` by the next one. False when the grant is not live, or has another generation: of two concurrent calls one succeeds. */
  rotateGrant(id: string, change: { from: number; at: number; idleUntil: number }): Promise<boolean>;
  /** True for a live grant. Records the time of use, at most once a minute. */
  useGrant(id: string, at: number): Promise<boolean>;
  /** False when there is no such grant or it had ended. */
  endGrant(id: string, at: number): Promise<boolean>;
  /** Ends all grants of a key. */
  endGrants(keyId: string, at: number): Promise<void>;
  /** The live grants of these keys, oldest first. */
  grantsOf(keyIds: readonly string[]): Promise<GrantRecord[]>;
  /** Removes grants that are not live since before `before`. Returns how many. */
  removeGrants(before: number): Promise<number>;
}
