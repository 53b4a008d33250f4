/** How the service names a chat and a person of an agent: `<client id>/<id>`, as a header can hold it. */
import { createHash } from 'node:crypto';

const MAX_CHARS = 200;

export function conversationId(clientId: string, id: string): string {
  const name = [clientId, id].map((part) => encodeURIComponent(part.toWellFormed())).join('/');
  return name.length <= MAX_CHARS ? name : createHash('sha256').update(name).digest('hex');
}
