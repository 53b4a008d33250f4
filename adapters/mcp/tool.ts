/** Tools and results in the words of MCP. */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server';
import { type ActionAnnotations, type JsonSchema, SvcError, type ToolAnswer } from 'svc-sdk';
import type { AgentTool } from 'svc-sdk/agent-tool';

const ANNOTATIONS: Record<string, ActionAnnotations> = {
  search_services: { readOnly: true, openWorld: false },
  // It can run any action.
  invoke_service: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
};

/** Member of `_meta`: the payment of a result, the price of a tool. */
const PAYMENT = 'svc-sdk/payment';

export function toMcpTool({
  name,
  title,
  description,
  parameters,
  resultSchema,
  annotations = ANNOTATIONS[name],
  payment,
}: AgentTool): Tool {
  const hints = annotations && Object.fromEntries(Object.entries(annotations).map(([hint, value]) => [`${hint}Hint`, value]));
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: toInputSchema(parameters),
    ...(resultSchema && { outputSchema: toInputSchema(resultSchema) }),
    ...(hints && { annotations: hints }),
    ...(payment && { _meta: { [PAYMENT]: payment } }),
  };
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
  const { value, content, blocks, payment, error } = answer;
  const meta = payment && { _meta: { [PAYMENT]: payment } };
  if (tool?.resultSchema && !error) return { ...toShapedResult(answer), ...meta };
  // There is no `structuredContent`: some clients would show a model only that, and no image.
  if (blocks) return { content: [...blocks] as CallToolResult['content'], ...meta };
  const structuredContent = isObject(value) ? { ...value } : undefined;
  const structured = structuredContent && { structuredContent };
  return { content: [{ type: 'text', text: content }], ...structured, ...meta, ...(error && { isError: true }) };
}

/** Clients refuse an answer without `structuredContent`, unless it is an error, when the tool has an output schema. */
function toShapedResult({ content, blocks, result }: ToolAnswer): CallToolResult {
  const shown = blocks ? [...blocks] : [{ type: 'text', text: content }];
  const structured = isObject(result) ? { structuredContent: result } : { isError: true };
  return { content: shown as CallToolResult['content'], ...structured };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The specification's error for an unknown tool; also for an action that exists but is not offered as a tool here. */
export function notOffered(name: string, dynamic: AgentTool[]): ProtocolError {
  const advice =
    dynamic.length > 0 ? 'Find actions with search_services, run one with invoke_service.' : 'List the tools to see which ones exist.';
  const { code, message, retryable } = new SvcError('UNKNOWN_TOOL', `There is no tool ${JSON.stringify(name)} here. ${advice}`).toJSON();
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code, message, retryable });
}
