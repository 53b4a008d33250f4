/** Every kind of alert, in the order of the settings. */
import type { AlertCheck } from './alert-check';
import { actionsHeld } from './kinds/actions-held';
import { approvalsWaiting } from './kinds/approvals-waiting';
import { backupOld } from './kinds/backup-old';
import { callsQueued } from './kinds/calls-queued';
import { connectionsEnded } from './kinds/connections-ended';
import { keyBudget } from './kinds/key-budget';
import { keyBudgetSpent } from './kinds/key-budget-spent';
import { keyErrors } from './kinds/key-errors';
import { keyExpiry } from './kinds/key-expiry';
import { keyLimit } from './kinds/key-limit';
import { nodeSilent } from './kinds/node-silent';
import { storeGrowth } from './kinds/store-growth';
import { targetDown } from './kinds/target-down';
import { toolkitErrors } from './kinds/toolkit-errors';
import { toolkitOffline } from './kinds/toolkit-offline';
import { toolkitSlow } from './kinds/toolkit-slow';

export const ALERT_CHECKS: readonly AlertCheck[] = [
  toolkitOffline,
  toolkitErrors,
  toolkitSlow,
  keyErrors,
  keyLimit,
  keyBudget,
  keyBudgetSpent,
  keyExpiry,
  actionsHeld,
  approvalsWaiting,
  connectionsEnded,
  callsQueued,
  storeGrowth,
  nodeSilent,
  backupOld,
  targetDown,
];
