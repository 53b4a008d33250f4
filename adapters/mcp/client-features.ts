/** The parts of MCP that the client of a call has, as it declared them. */
import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities, type Server, type ServerContext } from '@modelcontextprotocol/server';

/** The extension by which a client polls a call that takes long. */
export const TASKS = 'io.modelcontextprotocol/tasks';

export interface ClientFeatures {
  /** Revision 2026-07-28: the client makes a call again that is answered with `input_required`. */
  rounds: boolean;
  tasks: boolean;
  /** Elicitation by URL, and by a form. */
  page: boolean;
  form: boolean;
}

/** Unknown features are false: before revision 2026-07-28 a message over HTTP says nothing about its client. */
export function featuresOf(server: Server, { mcpReq: { envelope } }: ServerContext): ClientFeatures {
  const declared = envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  const { elicitation, extensions } = declared?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
  return {
    rounds: declared !== undefined,
    tasks: declared !== undefined && extensions?.[TASKS] !== undefined,
    page: elicitation?.url !== undefined,
    form: elicitation?.form !== undefined,
  };
}
