import type { ActionRecord } from '../store/store';

/** Whether nothing that agents see is different. */
export function isSameAction(a: ActionRecord, b: ActionRecord | undefined): boolean {
  return (
    a === b ||
    (b !== undefined &&
      a.description === b.description &&
      a.title === b.title &&
      a.long === b.long &&
      JSON.stringify(a.resultSchema) === JSON.stringify(b.resultSchema) &&
      JSON.stringify(a.meta) === JSON.stringify(b.meta) &&
      JSON.stringify(a.icons) === JSON.stringify(b.icons) &&
      JSON.stringify(a.auth) === JSON.stringify(b.auth) &&
      JSON.stringify(a.payloadSchema) === JSON.stringify(b.payloadSchema) &&
      JSON.stringify(a.annotations) === JSON.stringify(b.annotations) &&
      a.payment?.amount === b.payment?.amount &&
      a.payment?.currency === b.payment?.currency)
  );
}
