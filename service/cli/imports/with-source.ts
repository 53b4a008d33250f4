/** Opens the source of an entry for a function. Its server ends afterwards, also after Ctrl-C. */
import { dirname } from 'node:path';
import {
  type OpenSource,
  type OpenSourceOptions,
  openSource,
  SignInRequired,
  signIn,
  type ToolkitEntry,
  type ToolkitsFolder,
} from 'svc-service/import';
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
  /** The operator's token for the list of an MCP server whose calls have connections. */
  listToken?: string | undefined;
  /** True: the operator may sign in for such a list. */
  signsIn?: boolean | undefined;
}

/** Rejects with an AbortError at Ctrl-C, before or after the source is open. */
export async function withSource<T>(
  scope: SourceScope,
  { id, entry, ...options }: { id: string; entry: ToolkitEntry } & Pick<OpenSourceOptions, 'pins' | 'document'>,
  use: (source: OpenSource) => Promise<T>,
): Promise<T> {
  const { terminal, folder, signal, startTimeoutMs } = scope;
  signal.throwIfAborted();
  if ('mcp' in entry) terminal.note(`Starting the MCP server of "${id}"`);
  const notice = new StartNotice(terminal, id);
  const { onLog } = notice;
  const open = (listToken: string | undefined) =>
    openSource(id, entry, { ...options, folder: dirname(folder.file), env: process.env, startTimeoutMs, onLog, listToken });
  const opening = open(scope.listToken)
    .catch((error: unknown) => {
      notice.end();
      const hasConnections = 'mcp' in entry && 'auth' in entry.mcp;
      if (!(error instanceof SignInRequired) || !scope.signsIn || !hasConnections) throw error;
      return signInForList(error, scope).then(open);
    })
    .finally(() => notice.end());
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

function signInForList(required: SignInRequired, { terminal, signal }: SourceScope): Promise<string> {
  return signIn(required, {
    signal,
    onAddress: (address) =>
      terminal.prompt(
        `The MCP server lists its tools after a sign-in. Open this address in a browser of this machine:\n${address}\n` +
          'The sign-in is for this list alone: its token is not stored, and no call has it.',
      ),
  });
}
