import { expect, test } from 'vitest';
import type { NamedAction } from '../../../import/pins';
import { presentActions } from '../../../import/present-actions';

function action(name: string, original = name): NamedAction {
  return {
    action: name,
    original,
    actionDescription: `Does ${name}`,
    payloadDescription: { type: 'object' },
    annotations: {},
    handler: () => null,
  };
}

const actions = [action('export_report', 'exportReport'), action('export_logs'), action('list')];
const longOf = (long: string[]) => presentActions(actions, { long }).flatMap(({ action: name, long: is }) => (is ? [name] : []));

test('the actions that `long` names may take long: by their name, their name at the source, or with *', () => {
  expect(longOf([])).toEqual([]);
  expect(longOf(['exportReport'])).toEqual(['export_report']);
  expect(longOf(['export_*'])).toEqual(['export_report', 'export_logs']);
});

test('a name in `long` that fits no action is refused', () => {
  expect(() => longOf(['exprot_report'])).toThrow(/^long: "exprot_report" fits no action/);
});
