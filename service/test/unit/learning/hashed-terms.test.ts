import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { usageTerms } from '../../../src/catalog/search/index';
import { HashedTerms, queryId } from '../../../src/learning/hashed-terms';

const SECRET = '0123456789abcdef'.repeat(4);

test('terms are the first 64 bits of their HMAC-SHA-256, in order', () => {
  const terms = new HashedTerms();
  terms.setSecret(SECRET);
  const query = 'Send an e-mail to Zoë';
  const expected = usageTerms(query).map((term) => createHmac('sha256', Buffer.from(SECRET, 'hex')).update(term).digest('base64url'));
  expect(terms.of(query)).toEqual(expected.map((text) => text.slice(0, 11)).sort());
  expect(terms.of(query).length).toBeGreaterThan(3);
});

test('another secret gives other terms, and nothing of the words', () => {
  const [one, other] = [new HashedTerms(), new HashedTerms()];
  one.setSecret(SECRET);
  other.setSecret('f'.repeat(64));
  expect(one.of('send mail')).not.toEqual(other.of('send mail'));
  expect(JSON.stringify(one.of('send mail'))).not.toMatch(/send|mail/);
  expect(queryId(one.of('invoice paid'))).toMatch(/^[\w-]{22}$/);
});
