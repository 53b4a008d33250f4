/**
 * Marks the arguments that a human has approved: Mastra calls `requireApproval` with them once more before they run.
 *
 * Its answers alone are not safe: for two calls of one message with the same id Mastra uses one answer, and after the question it removes some
 * keys from the arguments (`suspendedToolRunId`, `_background`, `__proto__`). It copies plain objects on their way, but no instance of a class.
 */
class ApprovedInput {}

export function markApproved(input: unknown): void {
  Object.setPrototypeOf(input, ApprovedInput.prototype);
}

export function isApproved(input: unknown): boolean {
  return input instanceof ApprovedInput;
}
