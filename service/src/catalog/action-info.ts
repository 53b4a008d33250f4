/** An action of the catalogue -> what agents see of it. */
import type { ActionInfo } from '#sdk/protocol/http';
import type { ActionRecord } from '../store/store';

export function actionInfo(action: string, { description, payloadSchema, annotations, payment, long }: ActionRecord): ActionInfo {
  const info: ActionInfo = { action, description, payloadSchema };
  if (Object.keys(annotations).length > 0) info.annotations = annotations;
  if (payment) info.payment = payment;
  if (long) info.long = true;
  return info;
}
