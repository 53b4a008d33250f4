/** A secret that all nodes share: a setting, which the first node that needs it makes. */
import { randomBytes } from 'node:crypto';
import type { SettingStore } from './console-store';

export async function sharedSecret(settings: Pick<SettingStore, 'putIfAbsent'>, name: string): Promise<Buffer> {
  const secret = await settings.putIfAbsent(name, randomBytes(32).toString('base64url'), Date.now());
  if (typeof secret !== 'string') throw new Error(`The setting ${name} is not a text`);
  return Buffer.from(secret, 'base64url');
}
