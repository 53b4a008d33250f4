/**
 * Calls that a program of the model's provider makes: `Svc-Caller: program`. A provider that ends a call early lets the program make it again under
 * another id, so a program makes only calls whose second run changes nothing more.
 */
import type { ActionAnnotations } from './http';

export const PROGRAM = 'program';

/** Whether a program may call an action with these annotations. */
export function mayProgramCall({ readOnly, idempotent, destructive }: ActionAnnotations = {}): boolean {
  return readOnly === true || (idempotent === true && !destructive);
}
