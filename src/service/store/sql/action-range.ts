/** The actions of a toolkit are a range of action ids: from `from` on, and before `to`. */
import { ACTION_ID_SEPARATOR } from '../../../protocol/ids';

export function actionRange(toolkitId: string): { from: string; to: string } {
  // The character after the last one of the separator ends the range.
  return { from: toolkitId + ACTION_ID_SEPARATOR, to: `${toolkitId}_\`` };
}
