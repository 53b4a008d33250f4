/**
 * Passwords as they are kept: Argon2id in the PHC string format, `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`.
 *
 * Source: RFC 9106 section 4 for the lengths of salt and hash.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Semaphore } from '../lib/semaphore';
import { type Argon2id, argon2id } from './argon2id';
import { PASSWORD_COST } from './password-cost';

const PREFIX = `$argon2id$v=19$m=${PASSWORD_COST.memory},t=${PASSWORD_COST.passes},p=${PASSWORD_COST.parallelism}$`;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The limit for all addresses together: half of Node's four threads stay for everything else, and no sign-in waits for more than some seconds. */
const hashing = new Semaphore({ atOnce: 2, waiting: 100 });

export async function hashPassword(password: string, derive: Argon2id = argon2id): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `${PREFIX}${unpadded(salt)}$${unpadded(await tagOf(password, salt, derive))}`;
}

export async function verifyPassword(kept: string, password: string, derive: Argon2id = argon2id): Promise<boolean> {
  const [salt, hash] = kept.startsWith(PREFIX) ? kept.slice(PREFIX.length).split('$') : [];
  if (salt === undefined || hash === undefined) throw new Error('A kept password has a form that this version cannot read');
  const wanted = Buffer.from(hash, 'base64');
  const given = await tagOf(password, Buffer.from(salt, 'base64'), derive);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

function tagOf(password: string, nonce: Uint8Array, derive: Argon2id): Promise<Uint8Array> {
  // One text, typed on two keyboards, may be composed in two ways.
  const message = Buffer.from(password.normalize('NFKC'));
  return hashing.run(() => derive({ message, nonce, ...PASSWORD_COST, tagLength: HASH_BYTES }));
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
