import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchText } from '../../../src/records/search-text';

test('texts that differ only in case, spaces, invisible characters or composition are one text', () => {
  for (const query of ['Send an e-mail', '  send\tan\n e-mail ', 'SEND AN E-MAIL', 'send\u200b an e-mail']) {
    expect(searchText(query)).toBe('send an e-mail');
  }
  expect(searchText('Cafe\u0301')).toBe(searchText('caf\u00e9'));
});

test('any text has at most 200 characters, and is its own text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (query) => {
      const text = searchText(query);
      expect(text.length).toBeLessThanOrEqual(200);
      expect(text).not.toMatch(/\p{Cs}|\0/u);
      expect(searchText(text)).toBe(text);
    }),
  );
});
