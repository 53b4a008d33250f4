import { previewSource } from 'svc-service/import';
import { describe, expect, test } from 'vitest';
import { openSource } from '../../../import/open-source';
import { actionsOf, documentOf } from './documents';

const textOf = (path: string, operation: object, more: object = {}, method = 'post') =>
  Object.values(actionsOf(documentOf({ [path]: { [method]: operation } }, more)))[0]?.actionDescription;

describe('an operation without a word gets a sentence of its operationId, its path and its tag', () => {
  test.each([
    ['/sites/{site_id}/builds', { operationId: 'createSiteBuild' }, 'Create site build: builds of sites.'],
    ['/cards/{idCard}/idMembers/{idMember}', { operationId: 'addCardsIdMember' }, 'Add cards id member: one of the id members of cards.'],
    ['/api/v3/user/emails', { operationId: 'set_HTTPEmails' }, 'Set HTTP emails: emails of user.'],
    ['/', { operationId: 'ping' }, 'Ping.'],
    ['/宠物', { operationId: '列出宠物' }, '列出宠物: 宠物.'],
  ])('%s', (path, operation, text) => expect(textOf(path, operation)).toBe(text));

  test.each([
    ['get', 'Get one of the members of guilds.'],
    ['delete', 'Delete one of the members of guilds.'],
    ['patch', 'Update one of the members of guilds.'],
    ['put', 'Set one of the members of guilds.'],
  ])('%s without an operationId', (method, text) => expect(textOf('/guilds/{id}/members/{user}', {}, {}, method)).toBe(text));

  test('a summary that is the operationId, the path or only punctuation is ignored', () => {
    for (const summary of ['addCards()', 'POST /cards', '/cards', '—', '<p></p>'])
      expect(textOf('/cards', { operationId: 'addCards', summary }), summary).toBe('Add cards: cards.');
    expect(textOf('/cards', { operationId: 'addCards', summary: 'addCards()', description: 'Puts a card on a list' })).toBe(
      'Puts a card on a list',
    );
  });

  test('the description of the tag is added without repetition', () => {
    const tagged = (tag: string, tags: unknown) => textOf('/hooks', { operationId: 'addHook', tags: [tag] }, { tags });
    expect(tagged('events', [{ name: 'events', description: 'Calls of <b>your</b> server. More below.' }])).toBe(
      'Add hook: hooks. Calls of your server.',
    );
    expect(tagged('dnsZone', [])).toBe('Add hook: hooks. Dns zone.');
    expect(tagged('hook', [{ name: 'hook', description: 'https://example.com/docs' }])).toBe('Add hook: hooks.');
    for (const tags of [5, [null], [{ name: 5, description: 5 }]]) expect(tagged('hook', tags)).toBe('Add hook: hooks.');
  });
});

describe('a source that does not describe most of its actions', () => {
  const paths = {
    '/a': { get: { operationId: 'one' } },
    '/b': { get: { operationId: 'two' } },
    '/c': { get: { summary: 'Lists things' } },
  };
  const findingsFor = async (described: object, describe: Record<string, string> = {}) => {
    const entry = { openapi: { file: 'unused.json' }, describe };
    const source = await openSource('pets', entry, { folder: '.', env: {}, document: JSON.stringify(documentOf(described)) });
    return previewSource('pets', entry, source).findings.filter(({ rule }) => rule === 'undescribed-actions');
  };

  test('is a finding of the preview', async () => {
    expect(await findingsFor(paths)).toEqual([
      {
        rule: 'undescribed-actions',
        severity: 'warning',
        message: '2 of 3 actions have no description in the source: agents hardly find them',
        hint: expect.stringContaining('describe: { one: … }'),
      },
    ]);
  });

  test('is none any more when `describe` says it, or when half of them are described', async () => {
    expect(await findingsFor(paths, { one: 'Counts the pets' })).toEqual([]);
    expect(await findingsFor({ '/a': paths['/a'], '/c': paths['/c'] })).toEqual([]);
  });
});
