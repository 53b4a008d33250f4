/**
 * Accounts that calls need: a call is refused with a link to the page on which its person connects the account. The person gets the link in the
 * chat, and the model never reads it. The page ends with a code, which the person sends in the chat.
 */
import type { RequiredConnection } from '../../protocol/connections';
import type { Message, ToolCall } from '../chat/message';
import type { AgentTurn, Connecting } from '../store/agent-turn';
import { errorResult } from './error-result';

/** Milliseconds for the page, whose link is good for ten minutes, and for the code, which is so too. */
const CONNECT_WITHIN_MS = 20 * 60 * 1_000;
const MAX_WRONG_CODES = 5;

/** A call that needs an account, with the link of its page. */
export interface CallToConnect {
  call: ToolCall;
  connect: RequiredConnection & { url: string };
}

/** True if the turn asks the person of its message, in the chat where it came from. */
export function isAskable({ connect }: CallToConnect, { ctx, connecting }: AgentTurn): boolean {
  return connect.confirm === true && ctx.isPrivate !== false && connecting?.ended === undefined;
}

/** The wait for the account. It keeps the number of wrong codes. */
export function toConnecting({ toolkit }: RequiredConnection, earlier: Connecting | undefined): Connecting {
  const { wrong, note } = earlier?.toolkit === toolkit ? earlier : {};
  return { toolkit, until: Date.now() + CONNECT_WITHIN_MS, ...(wrong !== undefined && { wrong }), ...(note && { note }) };
}

/** The wait of a turn for an account; undefined if it does not wait for one. */
export function waitingFor({ state, connecting }: AgentTurn): Connecting | undefined {
  return state === 'asking' && connecting && !connecting.ended ? connecting : undefined;
}

/** The deadline of the wait, capped so that a clock that was set back does not extend it. */
export function connectDue({ until }: Connecting): number {
  return Math.min(until, Date.now() + CONNECT_WITHIN_MS);
}

/** After a wrong code the same calls run again, which give another link, until the codes are too many. */
export function afterWrongCode(connecting: Connecting): Connecting {
  const wrong = (connecting.wrong ?? 0) + 1;
  const { toolkit, until } = connecting;
  return { toolkit, until, wrong, ...(wrong < MAX_WRONG_CODES ? { note: 'reply.connect.wrong' } : { ended: 'declined' }) };
}

/** The result for the model, without the link. */
export function notConnected({ call, connect: { toolkit, confirm } }: CallToConnect, { ctx, connecting }: AgentTurn): Message {
  const why = () => {
    if (!confirm) return `The account for "${toolkit}" is missing, and only the operator of this agent can connect it`;
    if (connecting?.ended === 'expired') return `The person did not connect an account for "${toolkit}" in time`;
    if (connecting?.ended) return `The person did not connect an account for "${toolkit}"`;
    return `The person has to connect an account for "${toolkit}", which needs a private chat: ask them to write to you in private, and to ask for it there`;
  };
  const isOver = ctx.isPrivate === false || !confirm;
  const next = isOver ? '' : '. Make the call again only if they ask for it';
  return errorResult(call, { code: 'CONNECTION_REQUIRED', message: `${why()}${next}` });
}
