/**
 * `svc__read_result`: reads a part of a result that the store keeps for retries, or asks for the result of a call that goes on without its caller.
 * Runs no handler and records nothing.
 */
import type { ApprovalStatus } from '#sdk/protocol/approvals';
import { SvcError } from '#sdk/protocol/errors';
import type { InvokeResponse, UnfinishedInvocation } from '#sdk/protocol/http';
import type { JsonObject } from '#sdk/protocol/json-object';
import { allowed } from '../keys/allowed';
import type { InvocationStore } from '../store/store';
import type { CallRequest } from './call-request';
import type { Handles } from './handles';
import { NOT_KEPT } from './replay';
import { DEFAULT_PART_CHARS, READ_RESULT_ID, readPart, withFirstPart } from './result-part';

type ReadRequest = Pick<CallRequest, 'key' | 'maxResultChars' | 'onDisconnect'>;

interface ReadResultDeps {
  store: Pick<InvocationStore, 'get'>;
  handles: Pick<Handles, 'has' | 'follow'>;
}

/** The result of the tool while the call has none. */
interface UnfinishedResult extends Omit<UnfinishedInvocation, 'invocationId'> {
  handle: string;
  /** How to ask again. */
  message: string;
}

/** @param payload valid according to the schema of `READ_RESULT` */
export async function readStoredResult(deps: ReadResultDeps, request: ReadRequest, payload: JsonObject): Promise<string> {
  const { handle, offset, wait = 0 } = payload as { handle: string; offset?: number; wait?: number };
  const { key, maxResultChars: maxChars = DEFAULT_PART_CHARS, onDisconnect } = request;
  let json: string;
  if (await deps.handles.has(handle)) {
    const followed = await deps.handles.follow(handle, key, { waitMs: wait * 1_000, onDisconnect });
    if (followed.status === 202) return unfinishedJson(JSON.parse(followed.json));
    json = followed.json;
  } else json = await keptJson(deps.store, request, handle);
  return offset === undefined ? withFirstPart(json, maxChars) : readPart(json, { offset, maxChars });
}

async function keptJson(store: Pick<InvocationStore, 'get'>, { key }: ReadRequest, handle: string): Promise<string> {
  const record = await store.get(handle);
  if (record?.agentKeyId === key.id && record.idempotencyKey !== null && record.outcome?.code === 'OK' && record.outcome.body === null)
    throw new SvcError(
      'NOT_FOUND',
      `${record.id} ran and ended with OK. ${NOT_KEPT}. Run its action again only if a second run does no harm`,
    );
  if (record?.agentKeyId !== key.id || record.outcome?.code !== 'OK' || record.outcome.body === null)
    throw new SvcError(
      'NOT_FOUND',
      `No result is stored under "${handle.slice(0, 100)}": it is too old, or belongs to another key. Run its action again`,
    );
  if (!allowed(key, record.action)) throw new SvcError('ACTION_NOT_ALLOWED', `This key may not use "${record.action}" any more`);
  return record.outcome.body;
}

function unfinishedJson({ invocationId: handle, status, ...unfinished }: UnfinishedInvocation): string {
  const result: UnfinishedResult = { status, handle, ...unfinished, message: nextStep(handle, unfinished.approval?.status) };
  const response: InvokeResponse = { invocationId: handle, result };
  return JSON.stringify(response);
}

function nextStep(handle: string, question: ApprovalStatus | undefined): string {
  // The service has no credential for such a call, so it has no run of its own.
  if (question === 'approved') return 'A person approved the call, and it runs only with its caller: make the same call again';
  if (question === 'used') return 'The call ran with its caller, which has the result';
  const again = `invoke_service ${JSON.stringify({ action: READ_RESULT_ID, payload: { handle, wait: 30 } })}`;
  return question === 'pending'
    ? `A person has to approve the call first. Tell the user, and ask for the result later: ${again}`
    : `The call still runs. Ask for its result later: ${again}`;
}
