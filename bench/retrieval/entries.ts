/** One action of a source, as the service's catalogue would index it. */

import type { SearchDocument } from '../../service/src/catalog/search/index.ts';
import { visibleText } from '../../service/src/payload/clean-text.ts';
import { toPayloadSchema } from '../../service/src/payload/payload-schema.ts';
import { SvcError } from '../../src/protocol/errors.ts';
import { parseActionId } from '../../src/protocol/ids.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { LegalIds } from './legal-ids.ts';
import type { ActionLine, ToolkitLine } from './lines.ts';

export interface Entry {
  src: string;
  /** The value of the source. */
  sourceId: string;
  document: SearchDocument;
}

/** Entries sorted by source and id. Duplicate lines count once; of two toolkits with the same name, the first counts. */
export function toEntries(actions: readonly ActionLine[], toolkits: readonly ToolkitLine[]): Entry[] {
  const described = new Map<string, ToolkitLine>();
  // An action names its toolkit by name or by id; names go first.
  for (const names of [(line: ToolkitLine) => line.name, (line: ToolkitLine) => line.id]) {
    for (const line of toolkits) {
      const key = keyOf(line.src, names(line));
      if (!described.has(key)) described.set(key, line);
    }
  }
  const unique = new Map(actions.map((action) => [keyOf(action.src, action.id), action]));
  const ordered = [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, action]) => action);
  const ids = new LegalIds();
  const toolkitIds = new Map<string, string>();
  for (const action of ordered) {
    const key = keyOf(action.src, action.toolkit);
    if (!toolkitIds.has(key)) toolkitIds.set(key, ids.toolkit(toolkitNameOf(action, described.get(key))));
  }
  return ordered.map((action) => {
    const key = keyOf(action.src, action.toolkit);
    const toolkitId = toolkitIds.get(key) as string;
    const toolkit = described.get(key);
    return {
      src: action.src,
      sourceId: action.id,
      document: {
        id: ids.action(toolkitId, action.name),
        toolkitId,
        toolkitName: (toolkit?.name ?? action.toolkit).slice(0, DEFAULT_LIMITS.toolkitNameChars),
        toolkitDescription: description(toolkit?.description ?? ''),
        name: action.name,
        description: description(action.description),
        payloadSchema: schemaOf(action.payload),
      },
    };
  });
}

/** Sources and names may hold any character but this one. */
export function keyOf(src: string, name: string): string {
  return `${src}\0${name}`;
}

/** The toolkit already has an id in a service's own export. */
function toolkitNameOf({ id, toolkit }: ActionLine, described: ToolkitLine | undefined): string {
  const ownId = parseActionId(id)?.toolkitId;
  return ownId !== undefined && (ownId === toolkit || ownId === described?.id) ? ownId : (described?.name ?? toolkit);
}

function description(text: string): string {
  return visibleText(text).slice(0, DEFAULT_LIMITS.descriptionChars);
}

/** A payload that the service would refuse is none: the action is still an answer to the queries that name it. */
function schemaOf(payload: unknown): SearchDocument['payloadSchema'] {
  try {
    return toPayloadSchema(payload, DEFAULT_LIMITS);
  } catch (error) {
    if (!SvcError.is(error)) throw error;
    return toPayloadSchema(undefined, DEFAULT_LIMITS);
  }
}
