/** An error of a command: lines for people, or with `--json` one object, `{"error": {"code", "message", …}}`. Always on stderr, and without secrets. */
import { CommanderError } from 'commander';
import { SvcError } from 'svc-sdk';
import { redactor } from './redact';
import type { Terminal } from './terminal';

export function writeError(terminal: Terminal, error: unknown): void {
  const text = terminal.json ? JSON.stringify({ error: errorObject(error) }) : errorText(terminal, error);
  // A driver may have put its URL into the message.
  if (text !== '') terminal.stderr.write(`${redactor(process.env)(text)}\n`);
}

function errorObject(error: unknown): object {
  if (SvcError.is(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  // commander writes its messages for people.
  if (error instanceof CommanderError) return { code: 'INVALID_REQUEST', message: message.replace(/^error: /, '') };
  return { code: 'INTERNAL', message };
}

function errorText(terminal: Terminal, error: unknown): string {
  // commander has written it.
  if (error instanceof CommanderError) return '';
  if (!SvcError.is(error)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const { didYouMean, issues = [], cause } = error.details;
  return [
    `${terminal.style('red', `${error.code}:`, terminal.stderr)} ${error.message}`,
    ...issues.map(({ path, message }) => `  ${path || '(payload)'}: ${message}`),
    ...(cause?.data !== undefined ? [`  ${cause.code}: ${JSON.stringify(cause.data)}`] : []),
    ...(didYouMean ? [`  Did you mean ${didYouMean.join(', ')}?`] : []),
  ].join('\n');
}
