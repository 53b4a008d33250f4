/** Locks that PostgreSQL keeps by number, in each database for itself: ours have a class of their own, `svc` in ASCII. */
const CLASS = 0x737663;

export const MIGRATING = `${CLASS}, 1`;
export const SERVING = `${CLASS}, 2`;
export const TAKING = `${CLASS}, 3`;
