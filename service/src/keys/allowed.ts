import { parseActionId } from '#sdk/protocol/ids';
import type { KeyRecord } from '../store/store';

/** True if an agent key may use an action: its list names the action or its toolkit, or it has no list. */
export function allowed({ allow }: Pick<KeyRecord, 'allow'>, actionId: string): boolean {
  if (allow === null || allow.actions.includes(actionId)) return true;
  const toolkitId = parseActionId(actionId)?.toolkitId;
  return toolkitId !== undefined && allow.toolkits.includes(toolkitId);
}
