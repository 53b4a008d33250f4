/** Replaces @better-auth/memory-adapter in the bundle, which better-auth loads when it has no database. */
export function memoryAdapter(): never {
  throw new Error('Accounts are in the database of the service');
}
