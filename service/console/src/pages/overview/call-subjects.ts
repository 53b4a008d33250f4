import type { Role } from '#sdk/protocol/admin';

/** Calls that the overview counts together. */
export interface CallSubject {
  /** Undefined: every call of the service. */
  mine?: 'keys' | 'toolkits';
  title: string;
  /** Follows the title of each section, because names of sections are unique on a page. */
  suffix: string;
}

/** A member's agents and toolkits have nothing to do with each other: one sum of both would be true of neither. */
export const CALL_SUBJECTS: Record<Role, readonly CallSubject[]> = {
  owner: [{ title: 'All calls', suffix: '' }],
  member: [
    { mine: 'keys', title: 'The calls of your keys', suffix: ': your keys' },
    { mine: 'toolkits', title: 'The calls to your toolkits', suffix: ': your toolkits' },
  ],
};
