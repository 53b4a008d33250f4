/** What is wrong with files or options, for the person who gave them: shown without a stack. */
export class BadInput extends Error {}
