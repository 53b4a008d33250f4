/** Everything about calls that wait for a person or run longer than their request. Loaded with the first such call. */
export { CallerApprovals } from './caller-approvals';
export { approvalForModel, unfinishedForModel } from './handle-texts';
export { cancelInvocation, decideApproval, readInvocation } from './handles';
