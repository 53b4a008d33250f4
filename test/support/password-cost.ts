/** Hashes passwords at Argon2id's least cost: most of the processor time of tests of accounts went there. password-hash.test.ts keeps the real cost. */
import { vi } from 'vitest';

vi.mock('../../service/src/accounts/password-cost', () => ({ PASSWORD_COST: { memory: 8, passes: 1, parallelism: 1 } }));
