import { SvcError } from 'svc-sdk';

/** One line for who looks into the client's log. Never on stdout, which belongs to the protocol. */
export function log(problem: Error): void {
  process.stderr.write(`svc-tools-mcp: ${SvcError.is(problem) ? `${problem.code}: ` : ''}${problem.message}\n`);
}
