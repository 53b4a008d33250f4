/** What is wrong with files or options, for the person who gave them: shown without a stack. */
export class BadInput extends Error {}

/** Runs a command; for bad input it prints what is wrong and exits with 1. */
export async function endOnBadInput(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
