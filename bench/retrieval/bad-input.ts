/** An error in the given files or options. It is printed without a stack trace. */
export class BadInput extends Error {}

/** Runs a command. For bad input it prints the error and exits with 1. */
export async function endOnBadInput(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
