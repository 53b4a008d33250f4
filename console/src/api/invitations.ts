import { queryOptions } from '@tanstack/react-query';
import {
  type AcceptInvitationRequest,
  ADMIN_PATHS,
  type CreatedInvitation,
  type CreateInvitationRequest,
  type InvitationsPage,
  type LookedInvitation,
  type Me,
} from '../../../src/protocol/admin';
import { request } from './request';

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => request<InvitationsPage>(ADMIN_PATHS.invitations, { signal }),
});

export const invite = (asked: CreateInvitationRequest) =>
  request<CreatedInvitation>(ADMIN_PATHS.invitations, { method: 'POST', body: asked });

export const withdrawInvitation = (id: string) =>
  request<void>(`${ADMIN_PATHS.invitations}/${encodeURIComponent(id)}`, { method: 'DELETE' });

/** What a link is good for. */
export const lookAtInvitation = (token: string) =>
  request<LookedInvitation>(`${ADMIN_PATHS.invitations}/look`, { method: 'POST', body: { token } });

export const acceptInvitation = (given: AcceptInvitationRequest) =>
  request<Me>(`${ADMIN_PATHS.invitations}/accept`, { method: 'POST', body: given });

/** The link of an invitation; what follows the # is never sent to a server. */
export function invitationLink({ token }: Pick<CreatedInvitation, 'token'>): string {
  return `${window.location.origin}/join#${token}`;
}
