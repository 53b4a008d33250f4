/** The code that a connect page shows: `readConfirmationCode` of the wire reads it. */
import { randomInt } from 'node:crypto';

/** People mistake 0, 1, I and O for each other. */
const CHARACTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const HALF = 5;

export function newConfirmationCode(): string {
  const half = () => Array.from({ length: HALF }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
  return `${half()}-${half()}`;
}
