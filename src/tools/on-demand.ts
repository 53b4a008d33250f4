/** The parts of calls that most programs never need, in one file: loaded by the first call that needs one. */
export { shortType } from '../protocol/to-type';
export { CallerApprovals } from './caller-approvals';
export { CallerConnections } from './caller-connections';
export { followCodeRun, readRunArguments, runForModel } from './code-runs';
export { unfinishedForModel } from './handle-texts';
export { PendingUsage } from './pending-usage';
