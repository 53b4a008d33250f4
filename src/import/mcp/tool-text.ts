/** An MCP tool as an action: the texts, the schema and the hints, as the server states them, without characters that nobody sees. */
import type { ActionAnnotations } from 'svc-sdk';
import { readableText } from '../../protocol/invisible-text';
import { DEFAULT_LIMITS } from '../../protocol/limits';
import type { ActionText } from '../pins';
import type { ListedTool } from './listed-tool';
import { toolSchema } from './tool-schema';

const HINTS = [
  ['readOnlyHint', 'readOnly'],
  ['destructiveHint', 'destructive'],
  ['idempotentHint', 'idempotent'],
  ['openWorldHint', 'openWorld'],
] as const;

export function toActionText({ name, title, description, inputSchema, annotations }: ListedTool): ActionText {
  const texts = [description, title, annotations.title, name].map((text) => (typeof text === 'string' ? readableText(text).trim() : ''));
  const stated: ActionAnnotations = Object.fromEntries(
    HINTS.filter(([hint]) => typeof annotations[hint] === 'boolean').map(([hint, own]) => [own, annotations[hint]]),
  );
  return {
    actionDescription: (texts.find((text) => text !== '') ?? '').slice(0, DEFAULT_LIMITS.descriptionChars),
    payloadDescription: toolSchema(inputSchema),
    annotations: stated,
  };
}
