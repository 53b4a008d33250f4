/** Hashes passwords at Argon2id's least cost, to save CPU time in tests of accounts. password-hash.test.ts uses the real cost. */
import { vi } from 'vitest';

vi.mock('../../service/src/accounts/password-cost', () => ({ PASSWORD_COST: { memory: 8, passes: 1, parallelism: 1 } }));
