import { expect, test } from 'vitest';
import { filterActions } from '../../../src/import/action-filters';

const SOURCES = [
  { names: ['repos_get', 'repos/get'], tags: ['repos'], method: 'GET', path: '/repos/{owner}/{repo}' },
  { names: ['repos_delete', 'repos/delete'], tags: ['repos'], method: 'DELETE', path: '/repos/{owner}/{repo}' },
  { names: ['issues_list', 'issues/list'], tags: ['issues'], method: 'GET', path: '/issues' },
];
const chosen = (filters: { include?: string[]; exclude?: string[] }) => filterActions(SOURCES, filters).map(({ names }) => names[0]);

test.each([
  [['tag:issues'], ['issues_list']],
  [
    ['tag:ISSUES', 'repos_get'],
    ['repos_get', 'issues_list'],
  ],
  [['GET /repos/**'], ['repos_get']],
  [['* /repos/*/*'], ['repos_get', 'repos_delete']],
  [['/issues/**'], ['issues_list']],
  [['repos/*'], ['repos_get', 'repos_delete']],
  [['*_list'], ['issues_list']],
])('include %s', (include, names) => expect(chosen({ include })).toEqual(names));

test('exclude wins over include', () => {
  expect(chosen({ include: ['tag:repos'], exclude: ['DELETE /**'] })).toEqual(['repos_get']);
});

test('without filters all are chosen', () => expect(chosen({})).toHaveLength(3));

test.each(['include', 'exclude'])('%s with a filter that fits nothing names the tags', (option) => {
  expect(() => chosen({ [option]: ['tag:isues'] })).toThrow(`${option}: "tag:isues" fits no action; the tags are repos (2), issues (1)`);
});

test('a glob is no regular expression', () => {
  expect(() => chosen({ include: ['repos.get'] })).toThrow('fits no action');
});
