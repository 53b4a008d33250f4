/** An MCP tool as an action: the texts, the schema and the hints, as the server states them. */
import type { Tool } from '@modelcontextprotocol/client';
import type { ActionAnnotations } from 'svc-sdk';
import { DEFAULT_LIMITS } from '../../protocol/limits';
import type { ActionText } from '../pins';
import { toolSchema } from './tool-schema';

const HINTS = [
  ['readOnlyHint', 'readOnly'],
  ['destructiveHint', 'destructive'],
  ['idempotentHint', 'idempotent'],
  ['openWorldHint', 'openWorld'],
] as const;

export function toActionText({ name, title, description, inputSchema, annotations = {} }: Tool): ActionText {
  const text = description?.trim() || title?.trim() || annotations.title?.trim() || name;
  const stated: ActionAnnotations = Object.fromEntries(
    HINTS.filter(([hint]) => annotations[hint] !== undefined).map(([hint, own]) => [own, annotations[hint]]),
  );
  return {
    actionDescription: text.slice(0, DEFAULT_LIMITS.descriptionChars),
    payloadDescription: toolSchema(inputSchema),
    annotations: stated,
  };
}
