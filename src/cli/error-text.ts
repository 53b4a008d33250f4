/** An error of a command: lines for people, or with `--json` one object, `{"error": {"code", "message", …}}`. Always on stderr, and without secrets. */
import { CommanderError } from 'commander';
import { SvcError } from 'svc-sdk';
import { type Line, oneLine, styled } from './line';
import { redactor } from './redact';
import type { Terminal } from './terminal';

export function writeError(terminal: Terminal, error: unknown): void {
  // A driver may have put its URL into the message.
  const redact = redactor(process.env);
  // commander has written its own.
  if (terminal.json) terminal.noteJson(redact(JSON.stringify({ error: errorObject(error) })));
  else if (!(error instanceof CommanderError)) terminal.note(errorLine(error, redact));
}

function errorObject(error: unknown): object {
  if (SvcError.is(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  // commander writes its messages for people.
  if (error instanceof CommanderError) return { code: 'INVALID_REQUEST', message: message.replace(/^error: /, '') };
  return { code: 'INTERNAL', message };
}

function errorLine(error: unknown, redact: (text: string) => string): Line {
  if (!SvcError.is(error)) return redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const { didYouMean, issues = [], cause } = error.details;
  const details = [
    ...issues.map(({ path, message }) => `${path || '(payload)'}: ${message}`),
    ...(cause?.data !== undefined ? [`${cause.code}: ${JSON.stringify(cause.data)}`] : []),
    ...(didYouMean ? [`Did you mean ${didYouMean.join(', ')}?`] : []),
  ];
  const text = [` ${error.message}`, ...details.map((detail) => `  ${oneLine(detail)}`)].join('\n');
  return [styled('red', `${error.code}:`), redact(text)];
}
