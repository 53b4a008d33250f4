import { hash } from 'node:crypto';

/** SHA-256 in lower-case hex. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}
