/** Opens the source of an entry for a function. Its server ends afterwards, also after Ctrl-C. */
import { dirname } from 'node:path';
import { type OpenSource, type OpenSourceOptions, openSource, type ToolkitEntry, type ToolkitsFolder } from 'svc-service/import';
import type { Terminal } from '#sdk/cli/terminal';
import { untilAborted } from '#sdk/protocol/until-aborted';
import { StartNotice } from './start-notice';

export interface SourceScope {
  terminal: Terminal;
  folder: ToolkitsFolder;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  /** Timeout of the start of an MCP server. */
  startTimeoutMs?: number | undefined;
}

/** Rejects with an AbortError at Ctrl-C, before or after the source is open. */
export async function withSource<T>(
  { terminal, folder, signal, startTimeoutMs }: SourceScope,
  { id, entry, ...options }: { id: string; entry: ToolkitEntry } & Pick<OpenSourceOptions, 'pins' | 'document'>,
  use: (source: OpenSource) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  if ('mcp' in entry) terminal.note(`Starting the MCP server of "${id}"`);
  const notice = new StartNotice(terminal, id);
  const { onLog } = notice;
  const opening = openSource(id, entry, { ...options, folder: dirname(folder.file), env: process.env, startTimeoutMs, onLog }).finally(() =>
    notice.end(),
  );
  try {
    return await untilAborted(signal, opening.then(use));
  } finally {
    notice.end();
    const closed = opening.then(
      (source) => source.close(),
      () => {},
    );
    // A start may take minutes. The watchdog of the process ends the server.
    if (!signal.aborted) await closed;
  }
}
