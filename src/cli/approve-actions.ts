/** `svc-sdk actions list --state review` and `svc-sdk actions approve`, with an admin key. */
import { SvcError } from 'svc-sdk';
import { ADMIN_PATHS, type Review, type ReviewsPage } from '../protocol/admin';
import { isToolkitId } from '../protocol/ids';
import { adminService } from './environment';
import { noteMore, type PageFlags, readPages } from './pages';
import { type ServiceAddress, serviceRequest } from './service-request';
import type { Terminal } from './terminal';
import { UsageError } from './usage-error';

const HEAD = ['id', 'why', 'hash'];
const MOST_APPROVALS = 1_000;

const WHY = { new: 'new', changed: 'changed since its approval', error: 'has errors', rejected: 'rejected' } as const;

export async function listReviews(terminal: Terminal, toolkit: string | undefined, flags: PageFlags): Promise<void> {
  const { items, nextCursor } = await readReviews(adminService(), { toolkit }, flags);
  const rows = items.map(({ action, held, hash }) => [action, held ? WHY[held] : '', hash]);
  terminal.showList({ reviews: items, nextCursor }, [HEAD, ...rows], { whenEmpty: 'No action waits for approval' });
  noteMore(terminal, nextCursor);
}

/** @param ids of actions, or of toolkits for all of their actions */
export async function approveActions(terminal: Terminal, ids: readonly string[], { hash }: { hash?: string }): Promise<void> {
  if (hash !== undefined && ids.length > 1) throw new UsageError('--hash is for one action: name only one');
  const service = adminService();
  const found = await Promise.all(ids.map((id) => approvalsOf(service, id, hash)));
  const approvals = [...new Map(found.flat().map((approval) => [approval.action, approval])).values()];
  const approved: string[] = [];
  for (let start = 0; start < approvals.length; start += MOST_APPROVALS) {
    const some = approvals.slice(start, start + MOST_APPROVALS);
    const answer = await serviceRequest<{ approved: string[] }>(service, 'POST', `${ADMIN_PATHS.reviews}/approvals`, { approvals: some });
    approved.push(...answer.approved);
  }
  terminal.show({ approved }, approved.length === 0 ? 'Nothing to approve: all of it is approved' : `Approved: ${approved.join(', ')}`);
}

interface Approval {
  action: string;
  hash: string;
}

async function approvalsOf(service: ServiceAddress, id: string, hash: string | undefined): Promise<Approval[]> {
  if (hash !== undefined) return [{ action: id, hash }];
  const [toolkit = id] = id.split('__', 1);
  const { items } = await readReviews(service, { toolkit, state: 'all' }, { all: true, limit: 200 });
  const wanted = isToolkitId(id) ? items : items.filter(({ action }) => action === id);
  if (wanted.length === 0) throw new SvcError('ACTION_NOT_FOUND', `"${id}" is neither an action nor a toolkit with actions`);
  return wanted.filter(({ approved }) => !approved).map((review) => ({ action: review.action, hash: review.hash }));
}

function readReviews(service: ServiceAddress, query: Record<string, string | undefined>, flags: PageFlags) {
  const itemsOf = ({ reviews }: ReviewsPage): Review[] => reviews;
  return readPages(service, { path: ADMIN_PATHS.reviews, query, itemsOf }, flags);
}
