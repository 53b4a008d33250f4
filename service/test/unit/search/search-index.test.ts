import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SearchDocument, SearchIndex } from '../../../src/catalog/search';
import { term } from '../../../src/catalog/search/term';
import { action } from './documents';

function indexOf(...documents: SearchDocument[]): SearchIndex {
  const index = new SearchIndex();
  for (const document of documents) index.upsert(document);
  return index;
}

const gmail = { toolkitName: 'Gmail', toolkitDescription: 'Mail by Google' };
const catalogue = indexOf(
  action('gmail__send_email', { ...gmail, description: 'Sends a message to one or more people' }),
  action('gmail__list_labels', { ...gmail, description: 'All labels of a mailbox' }),
  action('github__create_issue', { toolkitName: 'GitHub', description: 'Opens an issue in a repository' }),
  action('weather__forecast', {
    description: 'The weather of the next days',
    payloadSchema: { type: 'object', properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } } },
  }),
  action('aws__describeInstances', { description: 'Lists EC2 machines' }),
  action('tenki__today', { toolkitName: '天気', description: '今日の天気予報を調べる' }),
);
const find = (query: string, limit = 5) => catalogue.search(query, { limit });

describe('an action is found by', () => {
  test.each([
    ['words of its description', 'send a message to people', 'gmail__send_email'],
    ['another form of a word', 'opening issues', 'github__create_issue'],
    ['its name in pieces', 'describe instances', 'aws__describeInstances'],
    ['a product name in any spelling', 'git hub', 'github__create_issue'],
    ['a product name with a digit', 'ec2', 'aws__describeInstances'],
    ['the name of a parameter', 'city', 'weather__forecast'],
    ['a value of an enum', 'fahrenheit', 'weather__forecast'],
    ['a word of Japanese', '予報', 'tenki__today'],
    ['one character of it', '調', 'tenki__today'],
    ['its id inside of a sentence', 'please call github__create_issue now', 'github__create_issue'],
  ])('%s', (_, query, id) => {
    expect(find(query)[0]).toBe(id);
  });

  test('words of its toolkit description', () => {
    expect(find('google')).toEqual(['gmail__list_labels', 'gmail__send_email']);
  });
});

describe('a query that is a name', () => {
  const index = indexOf(
    action('search__search', { description: 'Search' }),
    action('search__query_search', { description: 'search search search' }),
    action('web__search', { description: 'The web' }),
    action('other__find', { description: 'search, search for this and search for that' }),
    action('websearch__find'),
  );

  test('an exact action id is first, alone in its rank', () => {
    expect(index.search('web__search', { limit: 1 })).toEqual(['web__search']);
    expect(index.search(' search__query_search\n', { limit: 1 })).toEqual(['search__query_search']);
  });

  test('an id in another spelling is still that id', () => {
    expect(index.search('search.query-Search', { limit: 1 })).toEqual(['search__query_search']);
  });

  test('actions of that name are first, then those of the toolkit of that name, then actions with the word', () => {
    const found = index.search('search', { limit: 10 });
    expect(found).toEqual(['search__search', 'web__search', 'search__query_search', 'other__find', 'websearch__find']);
  });

  test('a toolkit id or display name lists all its actions', () => {
    const big = new SearchIndex();
    for (let i = 10; i < 40; i++) big.upsert(action(`sample-database__query_${i}`, { toolkitName: 'My Data' }));
    big.upsert(action('reader__read', { description: 'Reads a sample database, my data' }));
    for (const query of ['sample-database', 'Sample Database', 'my data'])
      expect(big.search(query, { limit: 30 })).toEqual(Array.from({ length: 30 }, (_, i) => `sample-database__query_${i + 10}`));
  });
});

test.each([
  ['an id', 'zxqjptzwwhfcb', 'id=sendemail', 'send email'],
  ['a name', 'zxqjlmgfqcfjb', 'name=pleasesendaletter', 'please send a letter'],
])('a word made so that its number is that of %s is not taken for it', (_, word, name, query) => {
  expect(term(word)).toBe(term(name));
  const index = indexOf(
    action('gmail__send_email', { description: 'Sends an email or a letter' }),
    action('kitchen__peel', { description: `Peels, ${word}` }),
  );
  expect(index.search(query, { limit: 3 })).toEqual(['gmail__send_email']);
});

test('names of the same words are equal, for any order and spelling', () => {
  const ids = ['slack__list_users', 'forum__usersList', 'shop__listed_user', 'shop__list_user_orders', 'shop__list'];
  const index = indexOf(...ids.map((id) => action(id)));
  const alike = (accept: (id: string) => boolean) => index.alike('list_users', { limit: 9, accept }).sort();
  expect(alike(() => true)).toEqual(['forum__usersList', 'shop__listed_user', 'slack__list_users']);
  expect(alike((id) => id.startsWith('shop__'))).toEqual(['shop__listed_user']);
  expect(index.alike('list_users', { limit: 2 })).toHaveLength(2);
  index.remove('shop__listed_user');
  expect(alike((id) => id.startsWith('shop__'))).toEqual([]);
});

test('equal actions are sorted by id', () => {
  const index = indexOf(...['c', 'a', 'b'].map((toolkit) => action(`${toolkit}__ping`, { description: 'Same text' })));
  expect(index.search('text', { limit: 2 })).toEqual(['a__ping', 'b__ping']);
});

test('accept is called before the cut', () => {
  const index = new SearchIndex();
  for (let i = 0; i < 100; i++) index.upsert(action(`t${i}__send_mail`, { description: 'mail '.repeat(100 - i) }));
  const accept = (id: string) => id === 't98__send_mail' || id === 't99__send_mail';
  expect(index.search('mail', { limit: 5, accept }).sort()).toEqual(['t98__send_mail', 't99__send_mail']);
});

test('an accept that throws leaves the index as it was', () => {
  const index = indexOf(action('a__ping'), action('b__pong'));
  const accept = () => {
    throw new Error('broken');
  };
  expect(() => index.search('ping', { limit: 1, accept })).toThrow('broken');
  expect(index.search('pong', { limit: 5 })).toEqual(['b__pong']);
});

test('an upsert replaces the former texts of the action', () => {
  const index = indexOf(action('a__run', { description: 'old words' }));
  index.upsert(action('a__run', { description: 'new text' }));
  expect(index.search('old words', { limit: 5 })).toEqual([]);
  expect(index.search('new text', { limit: 5 })).toEqual(['a__run']);
});

test('a removed action is found no more, and removing it again changes nothing', () => {
  const index = indexOf(action('a__run'), action('b__run'));
  index.remove('a__run');
  index.remove('a__run');
  expect(index.search('a__run', { limit: 5 })).toEqual(['b__run']);
});

test.each([
  ['no text', ''],
  ['nothing but marks', '?! __ = ..'],
  ['stop words only', 'could you please help me'],
  ['words that no action has', 'zeppelin'],
  ['names that objects inherit', '__proto__'],
])('a query of %s finds nothing', (_, query) => {
  expect(find(query)).toEqual([]);
});

test('a limit of zero finds nothing', () => {
  expect(find('weather', 0)).toEqual([]);
});

test('terms called like what objects inherit are terms like any other', () => {
  const index = indexOf(action('a__constructor', { description: '__proto__ toString' }));
  expect(index.search('constructor', { limit: 1 })).toEqual(['a__constructor']);
  expect(index.search('hasOwnProperty', { limit: 1 })).toEqual([]);
});

test('a query above the limit of terms is answered by the rarest terms', () => {
  const fillers = Array.from({ length: 200 }, (_, i) => `filler${i}`);
  const index = indexOf(action('rare__find', { description: 'needle' }));
  for (let i = 0; i < 20; i++) index.upsert(action(`common${i}__run`, { description: fillers.join(' ') }));
  expect(index.search(`${fillers.join(' ')} needle`, { limit: 1 })).toEqual(['rare__find']);
});

test('hostile queries are answered', () => {
  for (const query of [
    'Ab'.repeat(500),
    'a_'.repeat(500),
    '天'.repeat(1_000),
    `a${'\u0301'.repeat(999)}`,
    '\ud800'.repeat(1_000),
    'y'.repeat(1_000),
  ])
    expect(Array.isArray(find(query))).toBe(true);
});

test('after any changes an index answers like one built from the remaining actions', () => {
  const ids = fc.constantFrom('mail__send', 'mail__list', 'git-hub__send_mail', 'files__read', 'files__sendAll', 'send__files');
  const text = fc
    .array(fc.constantFrom('send', 'mail', 'GitHub', 'files', 'read', 'list of', '天気', 'send_mail'), { maxLength: 8 })
    .map((words) => words.join(' '));
  const document = fc
    .record({ id: ids, description: text, toolkitDescription: text, payloadSchema: text.map((description) => ({ description })) })
    .map(({ id, ...parts }) => action(id, parts));
  const change = fc.oneof(document, ids);
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 40 }),
      fc.array(text, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 6 }),
      (changes, queries, limit) => {
        const changed = new SearchIndex();
        const left = new Map<string, SearchDocument>();
        for (const step of changes) {
          if (typeof step === 'string') {
            changed.remove(step);
            left.delete(step);
          } else {
            changed.upsert(step);
            left.set(step.id, step);
          }
        }
        const fresh = indexOf(...[...left.values()].reverse());
        for (const query of [...queries, 'send', 'files', 'mail__send'])
          expect(changed.search(query, { limit })).toEqual(fresh.search(query, { limit }));
      },
    ),
  );
});

test('the verb of a query meets the fields and values that an update may change, more than the texts about them', () => {
  const properties = {
    note: { description: 'Anything that people should know about it. '.repeat(20) },
    state: { enum: ['open', 'closed'] },
  };
  const ofPayload = (annotations: SearchDocument['annotations']) => {
    const document = action('tracker__issue', { payloadSchema: { type: 'object', properties }, annotations });
    const { terms } = indexOf(document).explain('close the issue', document, { limit: 3 });
    return terms.find(({ term }) => term === 'close')?.fields.payload ?? 0;
  };
  expect(ofPayload({ idempotent: true })).toBeGreaterThan(1.5 * ofPayload({ readOnly: true }));
  expect(ofPayload(undefined)).toBe(ofPayload({ readOnly: true }));
});
