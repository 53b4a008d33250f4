/** A detached call -> its row, and back. The payload is sealed for its row. */
import { SvcError } from '#sdk/protocol/errors';
import { type KeptCaller, keptCaller } from '../../keys/kept-caller';
import type { KeptTexts } from '../../lib/kept-texts';
import type { AskingRule } from '../../rules/call-rules';
import type { DetachedRecord, NewDetachedCall } from '../../store/detached-store';
import { callUser } from '../call-user';
import type { DetachedCall } from './detached-runner';

/** The call, without its key, which may change while it runs. */
export interface KeptDetachedCall
  extends Pick<DetachedCall, 'id' | 'actionId' | 'payloadJson' | 'idempotencyKey' | 'deadlineAt'>,
    Pick<DetachedCall, 'connectionNames' | 'maxPayment' | 'actionVersion' | 'searchId' | 'madeBy' | 'approvalId' | 'approvedRule'> {
  agentKeyId: string;
  caller: KeptCaller;
}

interface CallerColumn {
  caller: KeptCaller;
  connectionNames?: [toolkit: string, name: string][];
  /** An integer. */
  maxPayment?: string;
  actionVersion?: string;
  searchId?: string;
  madeBy?: string;
  approvedRule?: AskingRule;
}

type Row = Pick<NewDetachedCall, 'id' | 'agentKeyId'>;

export function toRow(call: DetachedCall, texts: KeptTexts): NewDetachedCall {
  const { id, key, callerIds, actionId: action, idempotencyKey, requestHash, deadlineAt, approvalId = null } = call;
  const { userId, namedUser } = callUser(key, callerIds);
  const row = { id, agentKeyId: key.id };
  return {
    ...row,
    ...texts.seal(call.payloadJson, placeOf(row)),
    ...{ userId: namedUser?.id ?? userId ?? null, action, idempotencyKey, requestHash, deadlineAt, approvalId },
    caller: JSON.stringify(callerColumn(call)),
  };
}

/** @throws SvcError OUTCOME_UNKNOWN when no key opens the payload */
export function ofRow(row: DetachedRecord, texts: KeptTexts): KeptDetachedCall {
  const { id, agentKeyId, action: actionId, idempotencyKey, deadlineAt, approvalId } = row;
  const payloadJson = texts.open(row, placeOf(row));
  if (payloadJson === undefined) {
    const message = `The payload of ${id} cannot be read any more, because its secrets key ${row.sealedBy} is missing: its action may or may not have run`;
    throw new SvcError('OUTCOME_UNKNOWN', message, { invocationId: id });
  }
  const { caller, connectionNames, maxPayment, actionVersion, searchId, madeBy, approvedRule } = JSON.parse(row.caller) as CallerColumn;
  return {
    ...{ id, agentKeyId, caller, actionId, payloadJson, idempotencyKey, deadlineAt, actionVersion, searchId, madeBy, approvedRule },
    connectionNames: connectionNames && new Map(connectionNames),
    maxPayment: maxPayment === undefined ? undefined : BigInt(maxPayment),
    approvalId: approvalId ?? undefined,
  };
}

function callerColumn({ key, callerIds, connectionNames, maxPayment, actionVersion, ...call }: DetachedCall): CallerColumn {
  const { searchId, madeBy, approvedRule } = call;
  return {
    caller: keptCaller(key, callerIds),
    ...(connectionNames && { connectionNames: [...connectionNames] }),
    ...(maxPayment !== undefined && { maxPayment: maxPayment.toString() }),
    ...(actionVersion !== undefined && { actionVersion }),
    ...(searchId !== undefined && { searchId }),
    ...(madeBy !== undefined && { madeBy }),
    ...(approvedRule && { approvedRule }),
  };
}

function placeOf({ id, agentKeyId }: Row): string[] {
  return ['detached', id, agentKeyId];
}
