import { describe, expect, test } from 'vitest';
import { actionNames, nameOfPath } from '../../../import/action-names';

const named = (original: string, toolkitId = 'github') => actionNames([{ original, key: original }], toolkitId)[0];

describe('the name of an action', () => {
  test.each([
    ['repos/list-for-user', 'repos_list-for-user'],
    ['Get Users (v2)', 'Get_Users_v2'],
    ['créer', 'creer'],
    ['github_list_repos', 'list_repos'],
    ['github', 'github'],
    ['日本', 'get_pets'],
  ])('%s -> %s', (original, name) => {
    expect(actionNames([{ original, key: 'get pets' }], 'github')).toEqual([name]);
  });

  test('an operation without an id is named by its method and path', () => {
    expect(nameOfPath('GET', '/repos/{owner}/issues/{number}')).toBe('get_repos_by_owner_issues_by_number');
  });

  test('a long one loses repeated words, then whole words from the middle, and has a hash of the original', () => {
    const long = 'actions/set-github-actions-default-workflow-permissions-for-the-selected-repositories-of-an-organization';
    const name = named(long) ?? '';
    expect(name).toMatch(/^actions_set-github-default-.*organization_[0-9a-f]{6}$/);
    expect(`github__${name}`.length).toBeLessThanOrEqual(64);
    expect(named(`${long}s`)).not.toBe(name);
  });

  test('one word that is too long is cut', () => {
    expect(named('x'.repeat(200), 'a'.repeat(32))).toMatch(/^x{23}_[0-9a-f]{6}$/);
  });

  test('stays when the source gets more actions', () => {
    const sources = ['list', 'x'.repeat(90)].map((original) => ({ original, key: original }));
    const more = [{ original: 'y'.repeat(90), key: 'y' }, ...sources, { original: 'z', key: 'z' }];
    expect(actionNames(more, 'github').slice(1, 3)).toEqual(actionNames(sources, 'github'));
  });

  test('two that would be equal both get a hash of where they are', () => {
    const names = actionNames(
      [
        { original: 'list pets', key: 'GET /pets' },
        { original: 'list-pets', key: 'GET /v2/pets' },
        { original: 'list/pets', key: 'GET /v1/pets' },
      ],
      'shop',
    );
    expect(names).toEqual([
      expect.stringMatching(/^list_pets_[0-9a-f]{6}$/),
      'list-pets',
      expect.stringMatching(/^list_pets_[0-9a-f]{6}$/),
    ]);
    expect(new Set(names).size).toBe(3);
  });
});

test('a name of the lock file stays, also when an operation is added that would have it', () => {
  const kept = new Map([['GET /pets', 'list']]);
  const sources = [
    { original: 'list', key: 'GET /pets' },
    { original: 'list', key: 'GET /v2/pets' },
  ];
  const [first, second] = actionNames(sources, 'pets', kept);
  expect(first).toBe('list');
  expect(second).toMatch(/^list_[0-9a-f]{6}$/);
  expect(actionNames(sources, 'pets')[0]).not.toBe('list');
  expect(actionNames([{ original: 'renamed', key: 'GET /pets' }], 'pets', kept)).toEqual(['list']);
});
