/**
 * All texts of an action that a model reads or that decide whether a search finds it, its price, the accounts that it asks for, and what MCP
 * clients show, as canonical JSON. An approval is for the SHA-256 of it.
 */
import { formatActionId } from '#sdk/protocol/ids';
import { canonicalJson } from '../../lib/canonical-json';
import { sha256Hex } from '../../lib/sha256-hex';
import type { ActionRecord, ToolkitRecord } from '../../store/store';

export function reviewText({ name, description, auth: ofToolkit }: ToolkitRecord, action: ActionRecord): string {
  const { payloadSchema, annotations, payment, title, resultSchema, meta, icons, auth } = action;
  const id = formatActionId(action.toolkitId, action.name);
  const texts = {
    action: id,
    description: action.description,
    payloadSchema,
    annotations,
    toolkit: { name, description, ...(ofToolkit && { auth: ofToolkit }) },
  };
  // An action without them has no such members: approvals from before there were any stay.
  const shape = { ...(title !== undefined && { title }), ...(resultSchema && { resultSchema }) };
  const later = {
    ...(payment && { payment }),
    ...shape,
    ...(meta && { meta }),
    ...(icons && { icons }),
    ...(auth !== undefined && { auth }),
  };
  return canonicalJson({ ...texts, ...later });
}

/** Lower-case hex. */
export function reviewHash(text: string): string {
  return sha256Hex(text);
}
