import { SvcError } from 'svc-sdk';

/** The command line contradicts itself or lacks something: nothing was tried, and the exit code is 2, as for the errors of commander. */
export class UsageError extends SvcError {
  constructor(message: string) {
    super('INVALID_REQUEST', message);
  }
}
