/** A document that changed since its approval. */
import { heldChanges, importOpenapi, pinnedNames, pinsOf } from 'svc-service/import';
import { expect, test } from 'vitest';
import { documentOf } from './documents';

const get = (operationId: string, summary = 'Lists pets', tags = ['pets']) => ({ get: { operationId, summary, tags } });
const APPROVED = importOpenapi(documentOf({ '/pets': get('list'), '/owners': get('owners', 'Lists owners', ['owners']) }), {
  toolkitId: 'pets',
});
const PINS = pinsOf(APPROVED);

function changes(paths: object, options: object = {}) {
  const source = importOpenapi(documentOf(paths), { toolkitId: 'pets', names: pinnedNames(PINS), ...options });
  return heldChanges(source, PINS)?.changes;
}

test('the same document has no changes, also with another filter', () => {
  const paths = { '/pets': get('list'), '/owners': get('owners', 'Lists owners', ['owners']) };
  expect(changes(paths)).toBeUndefined();
  expect(changes(paths, { include: ['tag:pets'] })).toBeUndefined();
});

test('an operation that would clash with an approved name is new, and the approved one keeps its name', () => {
  const paths = { '/v2/pets': get('list'), '/pets': get('list'), '/owners': get('owners', 'Lists owners', ['owners']) };
  expect(changes(paths)).toEqual([{ kind: 'new', action: expect.stringMatching(/^list_[0-9a-f]{6}$/) }]);
});

test('an approved name with another path counts as changed: the text alone does not identify the request', () => {
  const paths = { '/admin/pets': get('list'), '/owners': get('owners', 'Lists owners', ['owners']) };
  expect(changes(paths)).toEqual([{ kind: 'changed', action: 'list' }]);
});

test('a removed operation is reported as gone', () => {
  expect(changes({ '/pets': get('list') })).toEqual([{ kind: 'gone', action: 'owners' }]);
});

test('the hash of what is held is that of these changes alone', () => {
  const hash = (summary: string) => {
    const source = importOpenapi(documentOf({ '/pets': get('list', summary), '/owners': get('owners', 'Lists owners', ['owners']) }), {
      toolkitId: 'pets',
    });
    return heldChanges(source, PINS)?.sha256;
  };
  expect(hash('Lists dogs')).toBe(hash('Lists dogs'));
  expect(hash('Lists dogs')).not.toBe(hash('Lists cats'));
});
