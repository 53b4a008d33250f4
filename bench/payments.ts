/**
 * The cost of a payment for each call: calls with an idempotency key, free and paid, in turn, on SQLite and on PostgreSQL. bench/README.md explains
 * the figures.
 *
 * Errors: exit 1 when an answer was not 200 with the whole echo.
 */
import { requirePrograms } from '../scripts/programs.ts';
import { measurePairs } from './load/pairs.ts';
import { svcKeyed, svcPaid, svcPostgresKeyed, svcPostgresPaid } from './svc/target.ts';

requirePrograms('postgres');
await measurePairs({
  command: 'npm run bench:payments --',
  addition: 'the payment',
  targets: [svcKeyed, svcPaid, svcPostgresKeyed, svcPostgresPaid],
});
