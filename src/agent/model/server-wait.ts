/**
 * The wait that a server requires.
 *
 * Units:  milliseconds; undefined without such a header, or for a non-standard form.
 * Source: RFC 9110, section 10.2.3; `retry-after-ms` is OpenAI's.
 */
import { readRetryAfter } from '../../protocol/retry-after';

export function readServerWait(header: (name: string) => string | null | undefined): number | undefined {
  const milliseconds = header('retry-after-ms')?.trim();
  if (milliseconds && Number(milliseconds) >= 0) return Number(milliseconds);
  return readRetryAfter(header('retry-after'));
}
