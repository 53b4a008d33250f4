import { SvcError, type Tools } from 'svc-sdk';
import type { ToolsLike } from 'svc-sdk/agent-tool';

/** A `Tools` that can also answer whole messages. */
export type WholeTools = ToolsLike & Pick<Tools, 'callTools'>;

export function wholeTools(client: ToolsLike): WholeTools {
  if ('callTools' in client) return client as WholeTools;
  throw new SvcError('INVALID_REQUEST', '`tools` cannot answer whole messages: make it with `new Tools(…)`');
}
