/**
 * A tool in a server's list, parsed leniently: faults outside its name and its schema are ignored.
 *
 * Source: Model Context Protocol 2025-11-25, server/tools, "Tool".
 */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';

export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonObject;
  outputSchema?: unknown;
  annotations: JsonObject;
  _meta?: JsonObject;
  icons?: unknown[];
  /** The server can run it as a task, or only so. */
  runsAsTask: boolean;
}

/** The tool, or the reason why it cannot become an action, as a sentence. */
export function readTool(value: unknown): ListedTool | string {
  if (!isObject(value)) return 'It is not an object';
  const { name, title, description, inputSchema, outputSchema, annotations, _meta, icons, execution } = value;
  if (typeof name !== 'string' || name.trim() === '') return 'It has no name';
  const problem = schemaProblem(inputSchema);
  if (problem !== undefined) return problem;
  return {
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    inputSchema: inputSchema as JsonObject,
    ...(outputSchema !== undefined && outputSchema !== null && { outputSchema }),
    annotations: isObject(annotations) ? annotations : {},
    ...(isObject(_meta) && { _meta }),
    ...(Array.isArray(icons) && { icons }),
    runsAsTask: isObject(execution) && ['optional', 'required'].includes(String(execution.taskSupport)),
  };
}

function schemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'Its inputSchema is not an object';
  if (schema.type !== 'object')
    return `Its inputSchema has ${schema.type === undefined ? 'no type' : 'another type'}: MCP wants "type": "object"`;
  const { properties = {}, required = [] } = schema;
  if (!isObject(properties) || !Object.values(properties).every(isSchema)) return 'The properties of its inputSchema are not schemas';
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string'))
    return '"required" of its inputSchema is not a list of names';
  return undefined;
}

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === 'boolean';
}
