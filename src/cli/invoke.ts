/** `svc-sdk invoke`: what a model would get. */
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type InvokeResponse, type Progress, Tools } from 'svc-sdk';
import { withoutBytes } from '../protocol/content';
import { parseExactJson } from '../protocol/exact-number';
import { isUnsafeNumber } from '../protocol/number-digits';
import { serviceOptions } from './environment';
import { blockText, resultText } from './invoke/answer-text';
import { checkOutput, mediaOf, writeOutput } from './invoke/output-file';
import { oneLine } from './line';
import { notEmpty } from './options';
import type { Terminal } from './terminal';
import { UsageError } from './usage-error';

interface InvokeFlags {
  output?: string;
  force?: true;
}

export function addInvokeCommand(program: Command, terminal: Terminal): void {
  program
    .command('invoke')
    .description('Use an action, as a model would (SVC_BASE_URL, SVC_AGENT_API_KEY)')
    .argument('<action>', 'action id, from search')
    .argument('[payload]', 'JSON object, or - to read it from stdin', '{}')
    .option('--output <file>', 'a new file for the image, sound or file of the result; for the result itself when it has none', notEmpty())
    .option('--force', 'replace the file when it is there')
    .addHelpText(
      'after',
      `
Text on a terminal, with words such as [image/png, 182 kB] in place of bytes;
the whole answer as JSON in a pipe or with --json. Progress goes to stderr.
For example: svc-sdk invoke weather__today '{"city": "Rome"}'`,
    )
    .action((action: string, payload: string, flags: InvokeFlags) => invoke(terminal, action, payload, flags));
}

async function invoke(terminal: Terminal, action: string, payload: string, { output, force }: InvokeFlags): Promise<void> {
  if (output !== undefined) checkOutput(output, force);
  const given = parsePayload(payload === '-' ? await text(terminal.stdin) : payload);
  const response = await new Tools(serviceOptions()).invoke(action, given, { onProgress: (progress) => showProgress(terminal, progress) });
  if (output === undefined) return showAnswer(terminal, response);
  const files = written(terminal, response, output);
  const { result, content = [], ...about } = response;
  const isResultWritten = mediaOf(content).length === 0;
  if (!terminal.isRead) terminal.printJson({ ...response, ...(response.content && { content: content.map(withoutBytes) }), files });
  else showAnswer(terminal, isResultWritten ? { ...about, content } : response);
  for (const file of files) terminal.note(`Written: ${file}`);
}

/** The answer is printed also if the file cannot be written. */
function written(terminal: Terminal, response: InvokeResponse, path: string): string[] {
  try {
    return writeOutput(response, path);
  } catch (error) {
    showAnswer(terminal, response);
    throw error;
  }
}

/** Programs read each report as a line of JSON. */
function showProgress(terminal: Terminal, progress: Progress): void {
  if (terminal.showsProgress) terminal.progress(progressText(progress));
  else terminal.noteJson(JSON.stringify(progress));
}

function progressText({ progress, total, message }: Progress): string {
  const reached = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? reached : `${reached}  ${message}`;
}

function showAnswer(terminal: Terminal, answer: Partial<InvokeResponse>): void {
  if (!terminal.isRead) return terminal.printJson(answer);
  const { result, content = [], repaired = [], cut, replayed, payment } = answer;
  if (result !== undefined) terminal.print(resultText(result));
  for (const block of content) terminal.print(blockText(block));
  for (const slip of repaired) terminal.note(oneLine(slip));
  if (cut) terminal.note(`The result has ${cut.totalBytes} bytes, of which the service kept the first ${cut.keptBytes}`);
  if (replayed) terminal.note('The kept answer of an earlier call with the same idempotency key');
  if (payment) terminal.note(oneLine(`Charged: ${payment.charged} ${payment.currency}`));
}

function parsePayload(json: string): unknown {
  try {
    return parseExactJson(json, isUnsafeNumber);
  } catch (error) {
    throw new UsageError(`The payload is not JSON: ${(error as Error).message}`);
  }
}
