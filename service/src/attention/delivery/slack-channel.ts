/**
 * Slack's incoming webhook, which Mattermost and others take too.
 *
 * Source: https://docs.slack.dev/messaging/formatting-message-text: `&`, `<` and `>` are escaped, and a link is `<address|text>`.
 */
import type { GuardedFetch } from '../../lib/guarded-fetch';
import { version } from '../../lib/version';
import type { AlertChannel } from './alert-channel';
import { type AlertMessage, lineOf } from './alert-message';

const AT_ONCE = 20;
const MAX_REASON_CHARS = 100;

export function slackChannel({ url }: { url: string }, fetch: GuardedFetch): AlertChannel {
  return {
    atOnce: AT_ONCE,
    async send(messages) {
      const body = JSON.stringify({ text: messages.map(slackLine).join('\n') });
      const headers = { 'content-type': 'application/json', 'user-agent': `svc-sdk/${version}` };
      const answer = await fetch(url, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`it answered ${answer.status}${reasonOf(await answer.text())}`);
    },
  };
}

function slackLine(message: AlertMessage): string {
  const sign = message.event === 'ended' ? ':white_check_mark:' : message.alert.severity === 'critical' ? ':red_circle:' : ':warning:';
  const link = message.url === undefined ? '' : ` <${escaped(message.url)}|Open>`;
  return `${sign} ${escaped(lineOf(message))}${link}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Slack answers with a word such as `no_service`. */
function reasonOf(body: string): string {
  return /^[a-z_]+$/.test(body) && body.length <= MAX_REASON_CHARS ? ` (${body})` : '';
}
