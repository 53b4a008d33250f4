/**
 * The version of an action: changes with what decides whether a call may run (annotations, price) and what it may hold (payload schema), and not with
 * texts or with how long it may run. A caller that decided about one version may run only that one: docs/protocol.md section 5.
 *
 * Shape: 22 characters of base64url, the beginning of a SHA-256. Computed when it is first needed, once for each record.
 */
import { hash } from 'node:crypto';
import { SvcError } from '#sdk/protocol/errors';
import type { JsonSchema } from '#sdk/protocol/http';
import { formatActionId } from '#sdk/protocol/ids';
import { isObject } from '#sdk/protocol/json-object';
import { canonicalJson } from '../lib/canonical-json';
import { subschemas } from '../payload/schema-keywords';
import type { ActionRecord } from '../store/store';

const VERSION_CHARS = 22;

const versions = new WeakMap<ActionRecord, string>();

export function versionOf(action: ActionRecord): string {
  let version = versions.get(action);
  if (version === undefined) {
    version = hash('sha256', decidingText(action), 'base64url').slice(0, VERSION_CHARS);
    versions.set(action, version);
  }
  return version;
}

export function actionChanged(actionId: string): SvcError {
  return new SvcError('ACTION_CHANGED', `"${actionId}" has changed since this call was decided; decide again, then call again`);
}

function decidingText({ toolkitId, name, annotations, payment, payloadSchema }: ActionRecord): string {
  const schema = structuredClone(payloadSchema);
  removeTexts(schema);
  return canonicalJson({ action: formatActionId(toolkitId, name), annotations, payment, schema });
}

function removeTexts(schema: JsonSchema): void {
  for (const keyword of ['title', 'description', '$comment', 'examples']) delete schema[keyword];
  for (const child of subschemas(schema)) if (isObject(child.schema)) removeTexts(child.schema);
}
