/** Files and sockets that a process has open, as Linux lists them. */
import { readdirSync, readlinkSync } from 'node:fs';

export interface OpenFiles {
  /** All but sockets. */
  files: number;
  sockets: number;
}

export function openFilesOf(pid: number): OpenFiles {
  const folder = `/proc/${pid}/fd`;
  const names = readdirSync(folder).flatMap((fd) => targetOf(`${folder}/${fd}`) ?? []);
  const sockets = names.filter((name) => name.startsWith('socket:')).length;
  return { files: names.length - sockets, sockets };
}

/** Undefined when it was closed after the folder was read. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
