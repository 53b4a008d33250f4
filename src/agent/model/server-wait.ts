/**
 * The wait that a server asks for.
 *
 * Units:  milliseconds; undefined if the server asks for none, or in a form that no standard has.
 * Source: RFC 9110, section 10.2.3; `retry-after-ms` is OpenAI's.
 */
import { readRetryAfter } from '../../protocol/retry-after';

export function readServerWait(header: (name: string) => string | null | undefined): number | undefined {
  const milliseconds = header('retry-after-ms')?.trim();
  if (milliseconds && Number(milliseconds) >= 0) return Number(milliseconds);
  return readRetryAfter(header('retry-after'));
}
