import { SvcError } from 'svc-sdk';
import { printable } from '../protocol/invisible-text';

/** Writes one line to the client's log, through stderr: stdout belongs to the protocol. */
export function log(problem: Error): void {
  process.stderr.write(printable(`svc-tools-mcp: ${SvcError.is(problem) ? `${problem.code}: ` : ''}${problem.message}\n`));
}
