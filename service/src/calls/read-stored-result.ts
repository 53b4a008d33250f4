/** `svc__read_result`: reads a part of a result that the store keeps for retries. Runs no handler and records nothing. */
import { SvcError } from '#sdk/protocol/errors';
import type { JsonObject } from '#sdk/protocol/json-object';
import { allowed } from '../keys/allowed';
import type { InvocationStore, KeyRecord } from '../store/store';
import { NOT_KEPT } from './replay';
import { DEFAULT_PART_CHARS, readPart } from './result-part';

interface ReadRequest {
  key: KeyRecord;
  maxResultChars?: number | undefined;
}

/** @param payload valid according to the schema of `READ_RESULT` */
export async function readStoredResult(
  store: Pick<InvocationStore, 'get'>,
  { key, maxResultChars = DEFAULT_PART_CHARS }: ReadRequest,
  payload: JsonObject,
): Promise<string> {
  const { handle, offset } = payload as { handle: string; offset: number };
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
  return readPart(record.outcome.body, { offset, maxChars: maxResultChars });
}
