/**
 * `--output`: the media of a result as files; of a result without media, the result itself.
 *
 * Shape:  the first medium is in the named file, the others beside it: `chart-2.png`, `chart-3.png`.
 * Errors: INVALID_REQUEST for a file that cannot be written.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, format, parse, resolve } from 'node:path';
import { type ContentBlock, type InvokeResponse, SvcError } from 'svc-sdk';
import { UsageError } from '../usage-error';

/** Before the call: the action may run once only. Throws UsageError. */
export function checkOutput(path: string, force: true | undefined): void {
  if (!force && existsSync(path)) throw new UsageError(`${path} is there already: name another file, or replace it with --force`);
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) throw new UsageError(`The folder ${folder} does not exist: make it first, or name another file`);
}

/** Returns the absolute paths, the named one first. */
export function writeOutput({ result, content = [] }: InvokeResponse, path: string): string[] {
  const media = mediaOf(content);
  const contents = media.length > 0 ? media : [typeof result === 'string' ? result : `${JSON.stringify(result, null, 2)}\n`];
  return contents.map((bytes, index) => {
    const file = resolve(index === 0 ? path : freePath(path));
    try {
      writeFileSync(file, bytes);
    } catch (error) {
      throw new SvcError('INVALID_REQUEST', `Cannot write ${file}: ${(error as Error).message}`, {}, { cause: error });
    }
    return file;
  });
}

/** Images, sounds and files, in their order. */
export function mediaOf(content: readonly ContentBlock[]): (Uint8Array | string)[] {
  return content.flatMap((block) => {
    if (block.type === 'image' || block.type === 'audio') return [Buffer.from(block.data, 'base64')];
    if (block.type !== 'resource') return [];
    const { text, blob = '' } = block.resource;
    return [text ?? Buffer.from(blob, 'base64')];
  });
}

/** `chart-2.png` beside `chart.png`, or the next number that is free. */
function freePath(path: string): string {
  const { dir, name, ext } = parse(path);
  for (let number = 2; ; number++) {
    const other = format({ dir, name: `${name}-${number}`, ext });
    if (!existsSync(other)) return other;
  }
}
