/** The body of a successful `POST /v1/invoke`, put together around the result's own text, which is not parsed again. */
import type { CallPayment } from '#sdk/protocol/http';
import { textStart } from '../payload/text-start';

export interface ResponseParts {
  invocationId: string;
  resultJson: string;
  contentJson?: string | undefined;
  metaJson?: string | undefined;
  repaired: readonly string[];
  payment?: CallPayment | undefined;
  maxResultBytes: number;
}

export function responseJson({
  invocationId,
  resultJson,
  contentJson,
  metaJson,
  repaired,
  payment,
  maxResultBytes,
}: ResponseParts): string {
  const head = `{"invocationId":${JSON.stringify(invocationId)}`;
  const paid = payment ? `,"payment":${JSON.stringify(payment)}` : '';
  const meta = metaJson === undefined ? '' : `,"meta":${metaJson}`;
  const rest = repaired.length > 0 ? `${meta},"repaired":${JSON.stringify(repaired)}${paid}` : meta + paid;
  // The hub checked the size of both together.
  if (contentJson !== undefined) return `${head},"result":${resultJson},"content":${contentJson}${rest}}`;
  // A UTF-16 unit is at most three bytes of UTF-8: most results need no count.
  const totalBytes = resultJson.length * 3 <= maxResultBytes ? 0 : Buffer.byteLength(resultJson);
  if (totalBytes <= maxResultBytes) return `${head},"result":${resultJson}${rest}}`;
  const kept = beginning(resultJson, maxResultBytes);
  const cut = JSON.stringify({ totalBytes, keptBytes: Buffer.byteLength(kept) });
  return `${head},"result":${JSON.stringify(kept)}${rest},"cut":${cut}}`;
}

const REPLAYED = ',"replayed":true}';

export function asReplayed(responseText: string): string {
  return responseText.endsWith(REPLAYED) ? responseText : responseText.slice(0, -1) + REPLAYED;
}

/** Returns the beginning of a text result, or of the JSON text of any other. Never splits a character. */
function beginning(resultJson: string, maxBytes: number): string {
  const text = resultJson.startsWith('"') ? String(JSON.parse(resultJson)) : resultJson;
  return textStart(text, maxBytes);
}
