import { expect, test } from 'vitest';
import { toEntries } from '../../../../bench/retrieval/entries.ts';
import { actionLine, logLine, queryLine } from '../../../../bench/retrieval/lines.ts';
import { cataloguesOf, chooseQuestions } from '../../../../bench/search-eval/questions.ts';
import { historyOf, toUsageLog } from '../../../../bench/search-eval/usage-log.ts';

const entries = toEntries(
  ['mail', 'news', 'aside'].flatMap((src) => [actionLine.parse({ id: `${src}/send`, src }), actionLine.parse({ id: 'read', src })]),
  [],
);
const query = (qid: string, more: object = {}) =>
  queryLine.parse({ qid, src: 'mail', split: 'dev', query: `query ${qid}`, relevant: ['mail/send'], ...more });

test('the queries of the split run, and those without a split', () => {
  const lines = [query('3'), query('1', { split: undefined }), query('2', { split: 'log' })];
  const { questions, notes } = chooseQuestions(lines, 'dev', entries);
  expect(questions.map(({ qid, relevant }) => [qid, ...relevant])).toEqual([
    ['1', 'mail__send'],
    ['3', 'mail__send'],
  ]);
  expect(notes).toEqual([]);
});

test('a split that no query has is an error that lists the splits', () => {
  expect(() => chooseQuestions([query('1'), query('2', { split: 'log' })], 'test', entries)).toThrow('there are "dev", "log"');
});

test('at most 1,000 queries of each source run, the lowest qid first', () => {
  const many = Array.from({ length: 1_500 }, (_, index) => query(String(9_999 - index)));
  const { questions } = chooseQuestions([...many, query('1', { src: 'news' })], 'dev', entries);
  expect(questions).toHaveLength(1_001);
  expect(questions.slice(998).map(({ src, qid }) => src + qid)).toEqual(['mail9498', 'mail9499', 'news1']);
});

test('the mistakes in the files are counted: repeated queries, queries without answer, answers that are in no file', () => {
  const lines = [query('1'), query('1'), query('2', { relevant: [] }), query('3', { relevant: ['mail/send', 'gone', 'gone'] })];
  const { questions, notes } = chooseQuestions(lines, 'dev', entries);
  expect(notes).toEqual([
    '1 queries stand in the files more than once, and count once',
    '1 queries name no relevant action, and are left out',
    '1 relevant actions are in no file, and count as not found',
  ]);
  expect(questions[1]?.relevant).toEqual(new Set(['mail__send', 'not there: gone']));
});

test('an id of several sources is the action of the query’s source', () => {
  const { questions } = chooseQuestions([query('1', { src: 'news', relevant: ['read', 'mail/send'] })], 'dev', entries);
  expect(questions[0]?.relevant).toEqual(new Set(['news__read', 'mail__send']));
});

test('own searches the source of the query, bench all sources with queries of any split, all everything', () => {
  const lines = [query('1'), query('2', { src: 'news', split: 'log' })];
  const { questions } = chooseQuestions(lines, 'dev', entries);
  const idsOf = (choice: 'own' | 'bench' | 'all') =>
    cataloguesOf(choice, { entries, questions, lines }).map(({ documents }) => documents.map(({ id }) => id));
  expect(idsOf('own')).toEqual([['mail__send', 'mail__read']]);
  expect(idsOf('bench')[0]).toHaveLength(4);
  expect(idsOf('all')[0]).toHaveLength(6);
  const { questions: strange } = chooseQuestions([query('1', { src: 'nowhere' })], 'dev', entries);
  expect(() => cataloguesOf('own', { entries, questions: strange, lines })).toThrow('No action is of a source that has queries');
});

test('a log gives its searches of the split "log", and those of none, with the actions that are known', () => {
  const line = (text: string, split: string | undefined, relevant: string[]) =>
    logLine.parse({ query: text, src: 'mail', split, relevant });
  const lines = [line('query 1', 'log', ['mail/send', 'gone']), line('b', undefined, ['mail/send']), line('c', 'dev', ['mail/send'])];
  const { questions } = chooseQuestions([query('1')], 'dev', entries);
  const { searches, notes } = toUsageLog(lines, entries, questions);
  expect(searches).toEqual([
    { query: 'query 1', actions: ['mail__send'] },
    { query: 'b', actions: ['mail__send'] },
  ]);
  expect(historyOf(searches)).toEqual(new Map([['mail__send', 2]]));
  expect(notes.join('\n')).toContain('1 calls in the log are of actions that are in no file');
  expect(notes.join('\n')).toContain('1 of 1 queries stand in the log word for word');
  expect(() => toUsageLog([line('c', 'dev', [])], entries, questions)).toThrow('The log holds no search');
});
