import { ApproverChats, type ApproverChatsOptions } from './approver-chats';
import { ServiceApprovals } from './service-approvals';

export interface OpenApproversOptions extends Omit<ApproverChatsOptions, 'approvals'> {
  baseUrl: string | undefined;
  /** Admin key. */
  apiKey: string;
}

export function openApprovers({ baseUrl, apiKey, ...options }: OpenApproversOptions): ApproverChats {
  return new ApproverChats({ ...options, approvals: new ServiceApprovals(baseUrl, apiKey) });
}
