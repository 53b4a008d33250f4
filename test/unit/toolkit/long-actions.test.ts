import { expect, test } from 'vitest';
import { Toolkit } from '../../../src/index';

test.each(['yes', 1, null])('an action refuses long: %j at once', (long) => {
  const toolkit = new Toolkit({ apiKey: 'svc_toolkit_TestKey0123456789' });
  const define = () => toolkit.action({ action: 'render', actionDescription: 'Renders', long: long as never }, () => 1);
  expect(define).toThrow(expect.objectContaining({ code: 'INVALID_ACTION', message: 'Action "render": long is true or false' }));
});
