/**
 * SHA-256 as 64 hexadecimal digits, without waiting. Undefined outside of Node, Bun and Deno: `crypto.subtle` answers later, and is there in secure
 * contexts only.
 */
export function sha256(text: string): string | undefined {
  return nodeCrypto()?.createHash('sha256').update(text).digest('hex');
}

function nodeCrypto(): typeof import('node:crypto') | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.('node:crypto');
  } catch {
    // The function exists but throws in the edge runtime of Next.js.
    return undefined;
  }
}
