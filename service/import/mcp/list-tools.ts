/** All tools of a server. A tool that cannot become an action is reported by name, and the others stay. */
import type { Client } from '@modelcontextprotocol/client';
import { readableText } from '#sdk/protocol/invisible-text';
import { isObject } from '#sdk/protocol/json-object';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import type { LeftOutPart, SkippedPart } from '../imported-action';
import { listAll } from './list-all';
import { readTool } from './listed-tool';
import { READ_PAGE } from './page-action';
import { RESOURCE_METHODS } from './resource-methods';
import type { ServerAction } from './server-action';
import { takesTasks } from './server-task';
import { toolAction } from './tool-action';

const { actionsPerToolkit: MAX_TOOLS } = DEFAULT_LIMITS;
const MAX_NAME_CHARS = 100;

export async function listTools(client: Client): Promise<{ actions: ServerAction[]; skipped: SkippedPart[] }> {
  const listed = await listAll(client, 'tools/list', 'tools', MAX_TOOLS);
  const actions = new Map<string, ServerAction>();
  const skipped: SkippedPart[] = [];
  const hasTasks = takesTasks(client);
  for (const [index, value] of listed.items.entries()) {
    const onLeftOut = (part: LeftOutPart) => skipped.push({ what: nameOf(value, index), ...part });
    const read = toAction(value, { actions, hasTasks, onLeftOut });
    if (typeof read === 'string') skipped.push({ what: nameOf(value, index), why: read });
    else actions.set(read.original, read);
  }
  if (listed.isCut) skipped.push({ what: 'further tools', why: `At most ${MAX_TOOLS} tools of a server are read` });
  return { actions: [...actions.values()], skipped };
}

interface Reading {
  /** The tools before it in the list. */
  actions: ReadonlyMap<string, ServerAction>;
  hasTasks: boolean;
  onLeftOut(part: LeftOutPart): void;
}

function toAction(value: unknown, { actions, hasTasks, onLeftOut }: Reading): ServerAction | string {
  const tool = readTool(value);
  if (typeof tool === 'string') return tool;
  if (actions.has(tool.name)) return 'The server has another tool of this name, which is listed first';
  if ([...RESOURCE_METHODS, READ_PAGE].includes(tool.name)) return 'Its name is a method of MCP';
  try {
    return toolAction({ ...tool, runsAsTask: tool.runsAsTask && hasTasks }, onLeftOut);
  } catch {
    return 'Its inputSchema cannot be made smaller';
  }
}

function nameOf(value: unknown, index: number): string {
  const name = isObject(value) && typeof value.name === 'string' ? readableText(value.name.slice(0, MAX_NAME_CHARS)).trim() : '';
  return name || `tool ${index + 1}`;
}
