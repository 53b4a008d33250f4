/** The id of a chat or a person for the service: `<client id>/<id>`, encoded for a header. */
import { createHash } from 'node:crypto';

const MAX_CHARS = 200;

export function conversationId(clientId: string, id: string): string {
  const name = [clientId, id].map((part) => encodeURIComponent(part.toWellFormed())).join('/');
  return name.length <= MAX_CHARS ? name : createHash('sha256').update(name).digest('hex');
}
