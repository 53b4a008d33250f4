/**
 * The cost of the console's records for each call: the built service with and without its console, in turn. bench/README.md explains the figures.
 *
 * Errors: exit 1 when an answer was not 200 with the whole echo.
 */
import { measurePairs } from './load/pairs.ts';
import { svc, svcKeyed, svcKeyedNoConsole, svcNoConsole } from './svc/target.ts';

await measurePairs({
  command: 'node bench/records.ts',
  addition: 'the console',
  targets: [svcNoConsole, svc, svcKeyedNoConsole, svcKeyed],
});
