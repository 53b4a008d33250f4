/**
 * The pages of a server with MCP Apps as an action that only the service calls, for MCP clients.
 *
 * Shape:  `{uri}` -> `{contents}` as the server gave them.
 * Errors: TOOL_ERROR for a page above the limit of a result, which must not be cut.
 */
import { RESOURCE_READER } from '#sdk/protocol/action-meta';
import { isObject } from '#sdk/protocol/json-object';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { sendForCall } from './send-for-call';
import { type ServerAction, serverAction } from './server-action';
import { UpstreamError } from './upstream-error';

/** Not a method of MCP: `resources/read` is the original name of `read_resource`. */
export const READ_PAGE = 'ui://';

const TEXT = {
  actionDescription: 'Reads a page of the MCP Apps of this server, for the service.',
  payloadDescription: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
  annotations: { readOnly: true },
  meta: RESOURCE_READER,
};

export const readPageAction: ServerAction = serverAction(READ_PAGE, 'read_app_page', TEXT, async (client, ctx, payload) => {
  const uri = isObject(payload) ? String(payload.uri) : '';
  const { contents } = await sendForCall(ctx, (options) => client.readResource({ uri }, { ...options, cacheMode: 'bypass' }));
  const bytes = Buffer.byteLength(JSON.stringify(contents));
  if (bytes <= DEFAULT_LIMITS.resultBytes) return { contents };
  throw new UpstreamError('TOOL_ERROR', `The page ${uri} has ${bytes} bytes; at most ${DEFAULT_LIMITS.resultBytes} arrive`);
});
