/** The child program of `ImporterProcess`: serves a `toolkits.yaml` for `svc-service serve --toolkits`, and exits with its parent. */
import { type ImportEvent, type ImportRequest, importToolkits, type RunningImports } from 'svc-service/import';
import { redactor } from '#sdk/cli/redact';
import { type IpcMessage, IpcPeer } from './ipc-peer';
import { openLog } from './log';

/** An environment variable that an entry may name. */
const SECRET_NAME = /AUTH|CREDENTIAL|KEY|PASS|PWD|SECRET|TOKEN/i;
/** Timeout of the servers' exit. */
const END_TIMEOUT_MS = 8_000;

interface StartRequest {
  file: string;
  baseUrl: string;
  logLevel: string;
}

let imports: RunningImports | undefined;

const running = (): RunningImports => {
  if (imports) return imports;
  throw new Error('The toolkits are not served yet');
};

const peer = new IpcPeer((message, onSent) => void process.send?.(message, onSent), {
  async start({ file, baseUrl, logLevel }: StartRequest) {
    const onEvent = eventLog(logLevel);
    imports = await importToolkits({ file, baseUrl, onEvent, keyOf: (id) => peer.call('keyOf', [id], 10_000) });
  },
  preview: async (request: ImportRequest) => running().preview(request),
  add: async (request: ImportRequest, sha256: string) => running().add(request, sha256),
  list: async () => running().list(),
  approve: async (id: string, sha256: string) => running().approve(id, sha256),
  stop: async (timeoutMs: number) => imports?.stop({ timeoutMs }),
});

process.on('message', (message: IpcMessage) => peer.receive(message));

// Ctrl-C and a service manager signal the whole group; the parent decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), END_TIMEOUT_MS);
  void Promise.resolve(imports?.stop({ timeoutMs: 0 })).finally(() => process.exit());
});

function eventLog(level: string): (event: ImportEvent) => void {
  const log = openLog(level, redactor(process.env, SECRET_NAME));
  return (happened) => {
    if (happened.event === 'server-log') return log[happened.level]({ toolkit: happened.id }, happened.message);
    const { event, ...rest } = happened;
    const { id: toolkit, held, ...facts } = { id: undefined, held: undefined, ...rest };
    log[LEVELS[event]]({ toolkit, ...facts, ...(held && { changes: held.changes.length }) }, EVENT_TEXTS[event]);
  };
}

const LEVELS = {
  'toolkit-online': 'info',
  'toolkit-offline': 'warn',
  'toolkit-removed': 'info',
  'changes-held': 'warn',
  'files-refused': 'error',
  'server-log': 'info',
} as const satisfies Record<ImportEvent['event'], string>;

const EVENT_TEXTS: Record<ImportEvent['event'], string> = {
  'toolkit-online': 'imported toolkit is online',
  'toolkit-offline': 'imported toolkit is offline',
  'toolkit-removed': 'imported toolkit was removed',
  'changes-held': 'imported toolkit has changes that wait for approval',
  'files-refused': 'toolkits.yaml was changed and cannot be used; the toolkits are served as before',
  'server-log': 'server of an imported toolkit',
};
