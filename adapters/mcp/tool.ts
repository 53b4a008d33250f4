/** Tools and results in the words of MCP. */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server';
import { type JsonSchema, SvcError, type ToolAnswer } from 'svc-sdk';
import type { AgentTool } from 'svc-sdk/agent-tool';
import { DYNAMIC_TOOLS } from './dynamic-tools';
import { isJsonObject } from './is-json-object';

/** Member of `_meta`: the payment of a result, the price of a tool. */
const PAYMENT = 'svc-sdk/payment';

export function toMcpTool({ name, title, description, parameters, resultSchema, annotations, icons, ...tool }: AgentTool): Tool {
  const { meta, payment } = tool;
  const hints = annotations && Object.fromEntries(Object.entries(annotations).map(([hint, value]) => [`${hint}Hint`, value]));
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: toInputSchema(parameters),
    ...(hasOutputSchema(resultSchema) && { outputSchema: toInputSchema(resultSchema) }),
    ...(hints && { annotations: hints }),
    ...(icons && { icons: [...icons] }),
    ...metaOf(meta, payment),
    ...DYNAMIC_TOOLS[name],
  };
}

/** MCP before 2026-07-28 knows structured results that are objects alone, and clients refuse another root. */
function hasOutputSchema(schema: JsonSchema | undefined): schema is JsonSchema {
  return schema?.type === 'object';
}

/** Replaces `true` and `false` as the schema of a property: official clients refuse a whole list of tools for one of them. */
function toInputSchema(schema: JsonSchema): Tool['inputSchema'] {
  const properties = Object.entries(schema.properties ?? {});
  const isBoolean = ([, part]: [string, unknown]) => typeof part === 'boolean';
  if (!properties.some(isBoolean)) return schema as Tool['inputSchema'];
  const asObjects = properties.map(([name, part]) => [name, part === true ? {} : part === false ? { not: {} } : part]);
  return { ...schema, type: 'object', properties: Object.fromEntries(asObjects) };
}

/** @param tool absent for an answer of no tool */
export function toResult(answer: ToolAnswer, tool?: AgentTool): CallToolResult {
  const { content, blocks, meta, payment } = answer;
  const shown = blocks ? [...blocks] : [{ type: 'text', text: content }];
  return {
    content: shown as CallToolResult['content'],
    ...structuredResult(answer, tool),
    ...metaOf(meta, payment),
  };
}

/** A payment is the service's alone. */
function metaOf(meta: Record<string, unknown> | undefined, payment: unknown): { _meta?: Record<string, unknown> } {
  if (!meta && !payment) return {};
  const { [PAYMENT]: _, ...rest } = meta ?? {};
  return { _meta: payment ? { ...rest, [PAYMENT]: payment } : rest };
}

/** Clients check an answer against the output schema of its tool, and refuse one without `structuredContent` that is not an error. */
function structuredResult(answer: ToolAnswer, tool?: AgentTool): Pick<CallToolResult, 'structuredContent' | 'isError'> {
  const { value, blocks, result, error } = answer;
  const failed = error && { isError: true };
  if (hasOutputSchema(tool?.resultSchema)) return !error && isJsonObject(result) ? { structuredContent: result } : { isError: true };
  // Some clients would show a model only the structured content, and no image.
  return { ...(!blocks && isJsonObject(value) && { structuredContent: { ...value } }), ...failed };
}

/** The specification's error for an unknown tool; also for an action that exists but is not offered as a tool here. */
export function notOffered(name: string, dynamic: AgentTool[]): ProtocolError {
  const advice =
    dynamic.length > 0 ? 'Find actions with search_services, run one with invoke_service.' : 'List the tools to see which ones exist.';
  const { code, message, retryable } = new SvcError('UNKNOWN_TOOL', `There is no tool ${JSON.stringify(name)} here. ${advice}`).toJSON();
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code, message, retryable });
}
