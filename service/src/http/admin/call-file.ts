/** Calls as lines of a file. JSON Lines have the same members as the list of calls. */
import type { InvocationInfo } from '#sdk/protocol/admin';
import { parseActionId } from '#sdk/protocol/ids';
import { exportFiles } from './export-files';

const COLUMNS = [
  ...['id', 'startedAt', 'toolkit', 'action', 'keyId', 'keyName', 'outcome', 'ms', 'standsFor', 'sessionId', 'userId'],
  ...['origin', 'toolkitCode', 'error', 'charged', 'currency'],
];

export const CALL_FILES = exportFiles(COLUMNS, valuesOf);

/** Returns the values in the order of `COLUMNS`. */
function valuesOf(call: InvocationInfo): (string | number)[] {
  const { id, startedAt, action, key, code, ms, standsFor, session, user, origin, toolkitCode, message, cost } = call;
  return [
    id,
    startedAt,
    parseActionId(action)?.toolkitId ?? '',
    action,
    key.id,
    key.name ?? '',
    code ?? 'running',
    ms ?? '',
    standsFor ?? '',
    session ?? '',
    user ?? '',
    origin === undefined ? 'agent' : 'console',
    toolkitCode ?? '',
    message ?? '',
    cost?.charged ?? '',
    cost?.currency ?? '',
  ];
}
