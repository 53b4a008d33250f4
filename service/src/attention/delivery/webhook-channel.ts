import type { GuardedFetch } from '../../lib/guarded-fetch';
import { signedPost } from '../../lib/signed-post';
import type { AlertChannel } from './alert-channel';
import { alertBody } from './alert-message';

/** @param secret base64 */
export function webhookChannel({ url, secret }: { url: string; secret: string }, fetch: GuardedFetch): AlertChannel {
  const key = Buffer.from(secret, 'base64');
  return {
    atOnce: 1,
    async send(messages) {
      for (const message of messages) {
        const answer = await fetch(url, signedPost(key, { id: message.id, body: JSON.stringify(alertBody(message)) }));
        if (!answer.ok) throw new Error(`it answered ${answer.status}`);
      }
    },
  };
}
