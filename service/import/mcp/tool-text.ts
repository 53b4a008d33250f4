/** The texts, the schema and the hints of an MCP tool for an action, without invisible characters. */
import type { ActionAnnotations } from 'svc-sdk';
import { readableText } from '#sdk/protocol/invisible-text';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import type { LeftOutPart } from '../imported-action';
import type { ActionText } from '../pins';
import type { ListedTool } from './listed-tool';
import { outputSchema as readOutputSchema } from './output-schema';
import { toolMeta } from './tool-meta';
import { toolSchema } from './tool-schema';

const HINTS = [
  ['readOnlyHint', 'readOnly'],
  ['destructiveHint', 'destructive'],
  ['idempotentHint', 'idempotent'],
  ['openWorldHint', 'openWorld'],
] as const;

/** The service's limit. */
const MAX_TITLE_CHARS = 200;

/** @param onLeftOut called with each part that is left out */
export function toActionText(tool: ListedTool, onLeftOut: (part: LeftOutPart) => void): ActionText {
  const { name, description, inputSchema, outputSchema, annotations, runsAsTask } = tool;
  const title = readable(tool.title) || readable(annotations.title);
  const result = outputSchema === undefined ? undefined : readOutputSchema(outputSchema);
  if (typeof result === 'string') onLeftOut({ part: 'outputSchema', why: result });
  const stated: ActionAnnotations = Object.fromEntries(
    HINTS.filter(([hint]) => typeof annotations[hint] === 'boolean').map(([hint, own]) => [own, annotations[hint]]),
  );
  return {
    actionDescription: (readable(description) || title || readable(name)).slice(0, DEFAULT_LIMITS.descriptionChars),
    payloadDescription: toolSchema(inputSchema),
    annotations: stated,
    ...(title !== '' && { title: title.slice(0, MAX_TITLE_CHARS) }),
    ...(typeof result === 'object' && { resultDescription: result }),
    ...toolMeta(tool, onLeftOut),
    ...(runsAsTask && { long: true }),
  };
}

function readable(text: unknown): string {
  return typeof text === 'string' ? readableText(text).trim() : '';
}
