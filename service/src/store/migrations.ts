/**
 * The schema as numbered, forward-only migrations. A released migration never changes; a new one follows it.
 * An engine applies them in order, in transactions, and stores the number of the last one in `svc_migrations`.
 */
import { SvcError } from '#sdk/protocol/errors';
import first from './migrations/0001-first.sql';
import evidence from './migrations/0002-evidence.sql';
import embeddings from './migrations/0003-embeddings.sql';
import nodes from './migrations/0004-nodes.sql';
import consoleData from './migrations/0005-console.sql';
import callSums from './migrations/0006-call-sums.sql';
import keyOwners from './migrations/0007-key-owners.sql';
import toolkitSightings from './migrations/0008-toolkit-sightings.sql';
import callToolkits from './migrations/0009-call-toolkits.sql';
import toolkitNames from './migrations/0010-toolkit-names.sql';
import sessionHashes from './migrations/0011-session-hashes.sql';
import actionApprovals from './migrations/0012-action-approvals.sql';
import payments from './migrations/0013-payments.sql';
import sessionRequests from './migrations/0014-session-requests.sql';
import actionResults from './migrations/0015-action-results.sql';
import oauth from './migrations/0016-oauth.sql';
import actionMeta from './migrations/0017-action-meta.sql';
import toolkitAuth from './migrations/0018-toolkit-auth.sql';
import connections from './migrations/0019-connections.sql';
import connectLinks from './migrations/0020-connect-links.sql';
import keyRules from './migrations/0021-key-rules.sql';
import approvals from './migrations/0022-approvals.sql';
import detachedCalls from './migrations/0023-detached-calls.sql';
import runs from './migrations/0024-runs.sql';
import madeBy from './migrations/0025-made-by.sql';
import callsOfRuns from './migrations/0026-calls-of-runs.sql';
import resultMisfits from './migrations/0027-result-misfits.sql';
import sessionSums from './migrations/0028-session-sums.sql';
import toolkitProfiles from './migrations/0029-toolkit-profiles.sql';
import alerts from './migrations/0030-alerts.sql';
import savedViews from './migrations/0031-saved-views.sql';
import dailyUptime from './migrations/0032-daily-uptime.sql';
import toolkitCodes from './migrations/0033-toolkit-codes.sql';
import origin from './migrations/0034-origin.sql';
import listing from './migrations/0035-listing.sql';
import formerSecrets from './migrations/0036-former-secrets.sql';

/** Migration n is at index n - 1. */
const MIGRATIONS: readonly string[] = [
  first,
  evidence,
  embeddings,
  nodes,
  consoleData,
  callSums,
  keyOwners,
  toolkitSightings,
  callToolkits,
  toolkitNames,
  sessionHashes,
  actionApprovals,
  payments,
  sessionRequests,
  actionResults,
  oauth,
  actionMeta,
  toolkitAuth,
  connections,
  connectLinks,
  keyRules,
  approvals,
  detachedCalls,
  runs,
  madeBy,
  callsOfRuns,
  resultMisfits,
  sessionSums,
  toolkitProfiles,
  alerts,
  savedViews,
  dailyUptime,
  toolkitCodes,
  origin,
  listing,
  formerSecrets,
];

/** The version of the data before and after a migration. */
export interface Versions {
  /** 0 for an empty database. */
  from: number;
  to: number;
}

/** @throws SvcError INVALID_REQUEST when the data are newer than the program */
export function versionsFrom(applied: number, where: string): Versions {
  nextMigration(applied, where);
  return { from: applied, to: MIGRATIONS.length };
}

/** The migration that follows number `applied`; undefined when there is none. Throws when the data are newer than the program. */
export function nextMigration(applied: number, where: string): { number: number; sql: string } | undefined {
  if (applied > MIGRATIONS.length)
    throw new SvcError(
      'INVALID_REQUEST',
      `The data in ${where} has version ${applied}, this svc-service knows only up to ${MIGRATIONS.length}: run the newer svc-service that wrote it, or use other data`,
    );
  const sql = MIGRATIONS[applied];
  return sql === undefined ? undefined : { number: applied + 1, sql };
}
