/**
 * The version of an action with its declared result: changes with either.
 *
 * Shape: 22 characters of base64url, the beginning of a SHA-256. Computed when it is first needed, once for each record.
 */
import { hash } from 'node:crypto';
import type { ActionRecord } from '../../store/store';
import { versionOf } from '../action-version';

const VERSION_CHARS = 22;

const versions = new WeakMap<ActionRecord, string>();

export function shapeVersionOf(action: ActionRecord): string {
  let version = versions.get(action);
  if (version === undefined) {
    version = hash('sha256', JSON.stringify([versionOf(action), action.resultSchema]), 'base64url').slice(0, VERSION_CHARS);
    versions.set(action, version);
  }
  return version;
}
