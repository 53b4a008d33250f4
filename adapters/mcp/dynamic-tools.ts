/**
 * The two tools for MCP clients: beside their definitions a title for people, the shape of the answers, and annotations.
 *
 * Shape: every property is optional, because official clients check the `structuredContent` of an error too.
 */
import type { Tool } from '@modelcontextprotocol/server';
import type { ToolAnswer } from 'svc-sdk';
import { isJsonObject } from './is-json-object';

type Described = Required<Pick<Tool, 'title' | 'outputSchema' | 'annotations'>>;

const TEXT = { type: 'string' };
const error = {
  type: 'object',
  properties: { code: TEXT, message: TEXT, retryable: { type: 'boolean' } },
  required: ['code', 'message', 'retryable'],
  description: 'In place of everything else when the call failed',
};
const PAYMENT = { type: 'object', properties: { amount: TEXT, currency: TEXT }, required: ['amount', 'currency'] };

export const DYNAMIC_TOOLS: Readonly<Record<string, Described>> = {
  search_services: {
    title: 'Find actions',
    outputSchema: {
      type: 'object',
      properties: {
        actions: {
          type: 'array',
          description: 'The best actions in full, best first',
          items: {
            type: 'object',
            properties: {
              action: TEXT,
              description: TEXT,
              payloadSchema: { type: 'object' },
              annotations: { type: 'object' },
              payment: PAYMENT,
              shortened: { type: 'boolean' },
            },
            required: ['action', 'description', 'payloadSchema'],
          },
        },
        more: {
          type: 'array',
          description: 'Further actions by name',
          items: { type: 'object', properties: { action: TEXT, description: TEXT, mentionedBy: TEXT }, required: ['action'] },
        },
        offline: { type: 'array', items: TEXT },
        hint: TEXT,
        error,
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  invoke_service: {
    title: 'Run an action',
    outputSchema: {
      type: 'object',
      properties: {
        result: { description: 'The result of the action, any JSON' },
        note: { type: 'string', description: 'Repairs of the payload, and a cut of the result' },
        content: { type: 'array', items: TEXT, description: 'Words for the images, files and texts beside the result' },
        error,
      },
    },
    // It can run any action.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
};

/** The answer in the shape above. */
export function structuredAnswer(tool: string, { value, result, error }: ToolAnswer): Record<string, unknown> {
  if (isJsonObject(value) && (error || tool === 'search_services')) return value;
  // The value has the result as a member if there is a note or content beside it. If that is too long, it is the beginning of the text.
  return isJsonObject(value) && result !== undefined && result !== value ? value : { result: result ?? value };
}
