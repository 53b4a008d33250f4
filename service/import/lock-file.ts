/**
 * `toolkits.lock.json`: the pins of each toolkit, by its id.
 *
 * Shape:  one action a line, so that the diff of a commit shows each changed action.
 * Errors: INVALID_REQUEST for an invalid file, and for a text that was edited without its hash.
 */
import { SvcError } from 'svc-sdk';
import * as z from 'zod';
import { actionIcons, actionMeta } from '#sdk/protocol/action-meta-schemas';
import { withoutBom } from '#sdk/protocol/decode-text';
import { printableJson } from '#sdk/protocol/invisible-text';
import { fingerprint, type ToolkitPins } from './pins';

export type LockFile = Record<string, ToolkitPins>;

const VERSION = 1;

const annotations = z.strictObject({
  readOnly: z.boolean().exactOptional(),
  destructive: z.boolean().exactOptional(),
  idempotent: z.boolean().exactOptional(),
  openWorld: z.boolean().exactOptional(),
});

const pinnedAction = z.strictObject({
  original: z.string().exactOptional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bareShape: z.literal(true).exactOptional(),
  actionDescription: z.string(),
  payloadDescription: z.record(z.string(), z.unknown()),
  annotations,
  title: z.string().exactOptional(),
  resultDescription: z.record(z.string(), z.unknown()).exactOptional(),
  meta: actionMeta.exactOptional(),
  icons: actionIcons.exactOptional(),
  long: z.literal(true).exactOptional(),
  request: z.array(z.string()).exactOptional(),
});

const toolkitDetails = z.strictObject({ name: z.string().exactOptional(), description: z.string().exactOptional() });

const lockFile = z.strictObject({
  version: z.literal(VERSION),
  toolkits: z.record(z.string(), z.strictObject({ toolkit: toolkitDetails, actions: z.record(z.string(), pinnedAction) })),
});

export function readLockFile(text: string): LockFile {
  const parsed = lockFile.safeParse(parseJson(text));
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
  const { toolkits } = parsed.data;
  for (const [id, { actions }] of Object.entries(toolkits)) {
    const edited = Object.entries(actions).find(([, pin]) => pin.sha256 !== fingerprint(pin));
    if (edited) throw invalid(`the hash of "${edited[0]}" of ${id} is not that of its text`);
  }
  return toolkits;
}

export function writeLockFile(toolkits: LockFile): string {
  const parts = sorted(toolkits).map(([id, { toolkit, actions }]) => {
    const lines = sorted(actions).map(([name, pin]) => `        ${JSON.stringify(name)}: ${JSON.stringify(pin)}`);
    const all = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n      }`;
    return `    ${JSON.stringify(id)}: {\n      "toolkit": ${JSON.stringify(toolkit)},\n      "actions": ${all}\n    }`;
  });
  const all = parts.length === 0 ? '{}' : `{\n${parts.join(',\n')}\n  }`;
  // The server chooses the names of its tools, and people read the file.
  return printableJson(`{\n  "version": ${VERSION},\n  "toolkits": ${all}\n}\n`);
}

function sorted<Value>(record: Record<string, Value>): [string, Value][] {
  return Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(withoutBom(text));
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
}

function invalid(reason: string): SvcError {
  return new SvcError(
    'INVALID_REQUEST',
    `toolkits.lock.json cannot be used: ${reason}. Write it again with \`svc-service toolkits approve\``,
  );
}
