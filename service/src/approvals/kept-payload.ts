/** The payload of an approval, sealed for its row: it opens in no other one. */
import type { KeptText, KeptTexts } from '../lib/kept-texts';
import type { CallApprovalRecord } from '../store/approval-store';

export function sealPayload(texts: Pick<KeptTexts, 'seal'>, id: string, json: string): KeptText {
  return texts.seal(json, placeOf(id));
}

/** JSON text. Undefined after the call ran, and for a key that is lost. */
export function openPayload(
  texts: Pick<KeptTexts, 'open'>,
  { id, payload }: Pick<CallApprovalRecord, 'id' | 'payload'>,
): string | undefined {
  return payload === null ? undefined : texts.open(payload, placeOf(id));
}

function placeOf(id: string): string[] {
  return ['approval', id];
}
