/** A picture with at most 256 colours: a third of its size, and the same to the eye. The package holds the pictures. */
import { spawnSync } from 'node:child_process';
import { locateProgram } from '../programs.ts';

const MAX_BYTES = 64 * 1024 * 1024;

export function withFewerColours(picture: Buffer): Buffer {
  const { status, stdout, stderr } = spawnSync(locateProgram('pngquant'), ['--speed', '1', '--strip', '-'], {
    input: picture,
    maxBuffer: MAX_BYTES,
  });
  if (status !== 0) throw new Error(`pngquant ended with ${status}: ${stderr}`);
  return stdout;
}
