/**
 * better-auth's models on the service's tables.
 *
 * Times are ISO 8601 text and booleans are 0 or 1 on both engines, so better-auth treats both as SQLite.
 */

export const USER_TABLE = {
  modelName: 'people',
  fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
  additionalFields: { role: { type: 'string', required: true, defaultValue: 'member', input: false } },
} as const;

export const SESSION_TABLE = {
  modelName: 'sessions',
  fields: {
    userId: 'person_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
} as const;

export const ACCOUNT_TABLE = {
  modelName: 'logins',
  fields: {
    userId: 'person_id',
    accountId: 'account_id',
    providerId: 'provider_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
} as const;

export const VERIFICATION_TABLE = {
  modelName: 'verifications',
  fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
} as const;

export const PASSKEY_TABLE = {
  modelName: 'passkeys',
  fields: {
    userId: 'person_id',
    publicKey: 'public_key',
    credentialID: 'credential_id',
    deviceType: 'device_type',
    backedUp: 'backed_up',
    createdAt: 'created_at',
  },
} as const;
