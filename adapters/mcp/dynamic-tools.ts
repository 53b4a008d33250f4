/**
 * The tools of every action for MCP clients: beside their definitions a title for people, annotations, and the shape of a search's answer.
 *
 * Shape: every property is optional, because official clients check the `structuredContent` of an error too.
 */
import type { Tool } from '@modelcontextprotocol/server';

type Described = Pick<Tool, 'title' | 'outputSchema' | 'annotations'>;

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
    // No `outputSchema`: clients then need `structuredContent` beside images, and some show a model only that. It can run any action.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  run_code: {
    title: 'Run a program',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
};
