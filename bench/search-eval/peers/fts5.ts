/**
 * SQLite's full-text search with its Porter stemmer, as people use it: any word of the query may match, the best by `bm25`.
 *
 * Source: https://www.sqlite.org/fts5.html
 */
import { DatabaseSync } from 'node:sqlite';
import { DEPTH } from '../metrics.ts';
import type { SystemKind } from '../system.ts';
import { FIELDS, plainText, splitWordsOf, wordsOf } from './plain-text.ts';

export const fts5: SystemKind = fts5With('FTS5 porter', (text) => text, wordsOf);
export const fts5Tuned: SystemKind = fts5With('FTS5 porter, split names, stop words', (text) => splitWordsOf(text).join(' '), splitWordsOf);

function fts5With(name: string, toText: (text: string) => string, queryWords: (query: string) => string[]): SystemKind {
  return {
    name,
    build: (documents) => {
      const database = new DatabaseSync(':memory:');
      database.exec(`CREATE VIRTUAL TABLE actions USING fts5(id UNINDEXED, ${FIELDS.join(', ')}, tokenize = 'porter unicode61')`);
      const insert = database.prepare(`INSERT INTO actions VALUES (?${', ?'.repeat(FIELDS.length)})`);
      database.exec('BEGIN');
      for (const document of documents) {
        const texts = plainText(document);
        insert.run(document.id, ...FIELDS.map((field) => toText(texts[field])));
      }
      database.exec('COMMIT');
      const select = database.prepare(`SELECT id FROM actions WHERE actions MATCH ? ORDER BY bm25(actions), id LIMIT ${DEPTH}`);
      return {
        search: (query) => {
          const words = queryWords(query);
          if (words.length === 0) return [];
          return select.all(words.map((word) => `"${word}"`).join(' OR ')).map(({ id }) => String(id));
        },
        close: () => database.close(),
      };
    },
  };
}
