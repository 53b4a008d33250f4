import { queryOptions } from '@tanstack/react-query';
import type { AcceptInvitationRequest, CreatedInvitation, CreateInvitationRequest } from '#sdk/protocol/admin';
import { api } from './request';

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => api('GET /v1/invitations', { signal }),
});

export const invite = (asked: CreateInvitationRequest) => api('POST /v1/invitations', { body: asked });

export const withdrawInvitation = (id: string) => api('DELETE /v1/invitations/{id}', { params: { id } });

/** Returns the role and the account of a link. */
export const previewInvitation = (token: string) => api('POST /v1/invitations/preview', { body: { token } });

export const acceptInvitation = (given: AcceptInvitationRequest) => api('POST /v1/invitations/accept', { body: given });

/** The link of an invitation; browsers never send the part after the #. */
export function invitationLink({ token }: Pick<CreatedInvitation, 'token'>): string {
  return `${window.location.origin}/join#${token}`;
}
