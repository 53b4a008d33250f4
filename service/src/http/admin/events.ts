import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';

export const eventRoutes = [
  defineRoute({
    id: 'streamChanges',
    summary: 'Stream the subjects that have changed, so that a client can reload them',
    method: 'GET',
    path: '/v1/events',
    access: 'person',
    stream: { 'text/event-stream': 'Events `change` (ChangeEvent), and comments that keep the connection alive' },
    handle: ({ context, principal }, { eventStreams }: AdminRouteDeps) => eventStreams.open(context, principal),
  }),
] as const;
