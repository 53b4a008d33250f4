/**
 * The terms of a query as one-way hashes: they show which terms two queries share, but not the terms. With the secret, terms can be guessed.
 *
 * Shape:  11 characters of base64url, 64 bits, for each term.
 * Source: HMAC-SHA-256 (RFC 2104). Made of one-shot hashes, since `createHmac` costs ten times as much and a search has twenty terms.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { usageTerms } from '../catalog/search/index';

const BLOCK_BYTES = 64;
const TERM_CHARS = 11;
const QUERY_CHARS = 22;
/** Searches share most of their words, and a hash takes microseconds. The cache holds single words, not their queries. */
const MAX_CACHED = 10_000;

export class HashedTerms {
  #inner: Buffer = Buffer.alloc(BLOCK_BYTES);
  #outer: Buffer = Buffer.alloc(BLOCK_BYTES);
  readonly #cached = new LRUCache<string, string>({ max: MAX_CACHED });

  /** @param secret at most 64 bytes, in hex */
  setSecret(secret: string): void {
    const key = Buffer.alloc(BLOCK_BYTES);
    key.write(secret, 'hex');
    this.#inner = key.map((byte) => byte ^ 0x36) as Buffer;
    this.#outer = key.map((byte) => byte ^ 0x5c) as Buffer;
    this.#cached.clear();
  }

  /** Sorted, so that the order of the words is not stored either. */
  of(query: string): string[] {
    return usageTerms(query)
      .map((term) => this.#hash(term))
      .sort();
  }

  #hash(term: string): string {
    const known = this.#cached.get(term);
    if (known !== undefined) return known;
    const hashed = this.#newHash(term);
    this.#cached.set(term, hashed);
    return hashed;
  }

  #newHash(term: string): string {
    const inner = hash('sha256', Buffer.concat([this.#inner, Buffer.from(term)]), 'buffer');
    return hash('sha256', Buffer.concat([this.#outer, inner]), 'base64url').slice(0, TERM_CHARS);
  }
}

/** The name of a query: the same for the same terms. */
export function queryId(terms: readonly string[]): string {
  return hash('sha256', terms.join(' '), 'base64url').slice(0, QUERY_CHARS);
}
