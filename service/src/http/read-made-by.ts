import { SvcError } from '#sdk/protocol/errors';
import { PROGRAM } from '#sdk/protocol/program-calls';

/** @throws SvcError INVALID_REQUEST */
export function readMadeBy(caller: string | undefined): typeof PROGRAM | undefined {
  if (caller === undefined || caller === PROGRAM) return caller;
  throw new SvcError('INVALID_REQUEST', `Svc-Caller must be "${PROGRAM}", or absent`);
}
