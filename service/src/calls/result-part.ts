/**
 * Paging of long results: the answer has the first part, and the built-in action `svc__read_result` returns the next ones.
 *
 * Shape:  a text of at most `maxChars` that ends with a line in brackets: the position, and the call that reads on.
 * Units:  UTF-16 code units of a text result, or of `JSON.stringify` of any other result.
 */
import { SvcError } from '#sdk/protocol/errors';
import { parseExactJson } from '#sdk/protocol/exact-number';
import type { InvokeResponse } from '#sdk/protocol/http';
import { formatActionId, RESERVED_TOOLKIT_ID } from '#sdk/protocol/ids';
import type { ActionRecord } from '../store/store';

export const READ_RESULT: ActionRecord = {
  toolkitId: RESERVED_TOOLKIT_ID,
  name: 'read_result',
  description: 'Reads the next part of a result that was too long for one answer, or the result of a call that takes long',
  payloadSchema: {
    type: 'object',
    properties: {
      handle: { type: 'string', description: 'As given in the first part, or instead of a result' },
      offset: { type: 'integer', minimum: 0, description: 'Where to read on, as given in the previous part' },
      wait: { type: 'integer', minimum: 0, maximum: 60, description: 'Seconds to wait for a call that has no result yet' },
    },
    required: ['handle'],
  },
  annotations: { readOnly: true, idempotent: true, openWorld: false },
};
export const READ_RESULT_ID: string = formatActionId(READ_RESULT.toolkitId, READ_RESULT.name);

/** The default of `Tools`: about 10,000 tokens, above which MCP hosts warn of a result. */
export const DEFAULT_PART_CHARS = 40_000;
/** Room for the line in brackets. */
const NOTE_CHARS = 300;

/** Replaces a result longer than `maxChars` with its first part. */
export function withFirstPart(responseJson: string, maxChars: number): string {
  // `content` may be longer: the client decides how much of it to show.
  if (responseJson.length <= maxChars) return responseJson;
  const response = parseExactJson(responseJson) as InvokeResponse;
  const text = textOf(response.result);
  if (text.length <= maxChars) return responseJson;
  return JSON.stringify({ ...response, result: partOf(text, { handle: response.invocationId, offset: 0, maxChars }) });
}

/** @throws SvcError INVALID_PAYLOAD for an offset beyond the end */
export function readPart(responseJson: string, { offset, maxChars }: { offset: number; maxChars: number }): string {
  const { invocationId, result } = parseExactJson(responseJson) as InvokeResponse;
  const text = textOf(result);
  if (offset >= text.length && offset > 0)
    throw new SvcError('INVALID_PAYLOAD', `The result has ${text.length} characters: there is nothing at ${offset}`);
  const response: InvokeResponse = { invocationId, result: partOf(text, { handle: invocationId, offset, maxChars }) };
  return JSON.stringify(response);
}

function partOf(text: string, { handle, offset, maxChars }: { handle: string; offset: number; maxChars: number }): string {
  const start = wholeCharacters(text, offset);
  const end = wholeCharacters(text, Math.min(text.length, start + maxChars - NOTE_CHARS));
  const next = JSON.stringify({ action: READ_RESULT_ID, payload: { handle, offset: end } });
  const rest = end === text.length ? 'This is the end.' : `Read on: invoke_service ${next}. Or ask for less.`;
  return `${text.slice(start, end)}\n[Characters ${start} to ${end} of ${text.length}. ${rest}]`;
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result ?? null);
}

/** Moves an index between the halves of a surrogate pair to the start of the pair. */
function wholeCharacters(text: string, index: number): number {
  const isLow = /[\udc00-\udfff]/.test(text.charAt(index)) && /[\ud800-\udbff]/.test(text.charAt(index - 1));
  return isLow ? index - 1 : index;
}
