/** Entries of the ledger as lines of a file. JSON Lines have the same members as the list of entries. */
import type { LedgerItem } from '#sdk/protocol/admin';
import { exportFiles } from './export-files';

const COLUMNS = [
  'invocationId',
  'heldAt',
  'bookedAt',
  'settledAt',
  'keyId',
  'keyName',
  'toolkit',
  'action',
  'state',
  'authorised',
  'charged',
  'currency',
] as const;

export const LEDGER_FILES = exportFiles(COLUMNS, (entry: LedgerItem) => [
  entry.invocationId,
  entry.heldAt,
  entry.bookedAt ?? '',
  entry.settledAt ?? '',
  entry.key.id,
  entry.key.name ?? '',
  entry.toolkit,
  entry.action,
  entry.state,
  entry.authorised,
  entry.charged ?? '',
  entry.currency,
]);
