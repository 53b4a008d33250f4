/** Argon2id's cost for passwords: the minimum of OWASP's Password Storage Cheat Sheet. `memory` is in KiB. */
export const PASSWORD_COST = { memory: 19_456, passes: 2, parallelism: 1 };
