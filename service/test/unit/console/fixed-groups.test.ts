import { expect, test } from 'vitest';
import { fixedGroups, humanValue } from '../../../console/src/pages/settings/fixed-groups';

const option = (name: string, value: string) => ({ name, value, meaning: '' });

test('values have units for people', () => {
  const values = [
    option('requestBodyBytes', '67108864'),
    option('defaultTimeoutMs', '60000'),
    option('idempotencyMs', '86400000'),
    option('actionsPerToolkit', '2000'),
    option('keptResultBytesPerKey', '1048576'),
    option('metrics', 'off'),
    option('access tokens', '900 s'),
  ].map(humanValue);
  expect(values).toEqual(['64 MiB', '1 min', '24 h', '2,000', '1 MiB', 'off', '900 s']);
});

test('options are in groups by their unit, and none is lost', () => {
  const fixed = [option('nodes', 'one'), option('heartbeatMs', '500'), option('frameBytes', '9'), option('queueLength', '9')];
  expect(fixedGroups(fixed).map(({ title, settings }) => [title, settings.length])).toEqual([
    ['Service', 1],
    ['Times', 1],
    ['Sizes', 1],
    ['Numbers', 1],
  ]);
});
