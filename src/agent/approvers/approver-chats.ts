/**
 * Shows the questions of the service in chats of approvers, with buttons, and hands their answers to the service.
 *
 * Rule:   only listed people may press. Questions that an app asks its own user stay out.
 * Errors: reported. The service and the platform are asked again at the next look; a question that the platform refused is left out there.
 */
import { SvcError } from 'svc-sdk';
import type { ApprovalInfo } from '../../protocol/approvals';
import { type BaseClient, RefusedReply } from '../chat/base-client';
import type { MessageContext } from '../chat/message-context';
import type { AgentEvent } from '../events';
import { pause, raced } from '../lib/races';
import type { ApproverChat } from '../options';
import type { AgentSettings } from '../store/agent-settings';
import { outcomeText, questionText } from './approval-texts';
import type { ServiceApprovals } from './service-approvals';

/** A press waits so long for the end of its question, and with the press the next message of its client. */
const END_QUESTION_WITHIN_MS = 5_000;

/** A question in a chat, stored as JSON. */
interface Shown {
  text: string;
  /** The return value of the client's `askApproval`. Absent: there are no buttons. */
  shown?: unknown;
}

export interface ApproverChatsOptions {
  approvals: ServiceApprovals;
  chats: readonly ApproverChat[];
  /** Ids of the agent keys whose questions are shown. Undefined: all that the admin key sees. */
  keys: ReadonlySet<string> | undefined;
  owners: ReadonlySet<string>;
  pollMs: number;
  store: AgentSettings;
  emit(event: AgentEvent): void;
}

export class ApproverChats {
  readonly #options: ApproverChatsOptions;
  readonly #clients = new Map<string, BaseClient>();
  /** The error of the last look, which is reported once. */
  #failure: string | undefined;

  constructor(options: ApproverChatsOptions) {
    this.#options = options;
  }

  /** The clients that this process holds. */
  hold(client: BaseClient): void {
    this.#clients.set(client.clientId, client);
  }

  leave(clientId: string): void {
    this.#clients.delete(clientId);
  }

  /** Looks again and again, until the signal aborts. */
  async serve(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const failure = await this.#look(signal).then(
        () => undefined,
        (error: unknown) => (signal.aborted ? undefined : serviceError(error)),
      );
      if (failure && failure.code !== this.#failure) this.#options.emit({ type: 'approvals-error', error: failure });
      this.#failure = failure?.code;
      await pause(this.#options.pollMs, signal).catch(() => {});
    }
  }

  /** Resolves with true for an answer to one of these questions. */
  async press(clientId: string, { chatId, userId, userName, answer }: MessageContext): Promise<boolean> {
    const chat = answer && this.#chatOf(clientId, chatId);
    const name = chat && nameOf(answer.questionId, chat);
    if (!name || this.#shown(name) === undefined) return false;
    const { approvals, owners } = this.#options;
    if (!chat.users?.includes(userId) && !owners.has(`${clientId}/${userId}`)) return true;
    const reason = answer.approved ? undefined : `Denied in a chat by ${userName || userId}`;
    const decision = { decision: answer.approved ? 'approve' : 'deny', ...(reason && { reason }) } as const;
    try {
      await this.#end(await approvals.decide(answer.questionId, decision), name);
    } catch (error) {
      // A question that was decided elsewhere: the next look shows the outcome.
      const failure = serviceError(error);
      if (failure.code !== 'CONFLICT') this.#options.emit({ type: 'approvals-error', error: failure });
    }
    return true;
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { approvals, keys } = this.#options;
    const pending = (await approvals.pending()).filter(({ decidedBy, key }) => decidedBy === 'people' && (!keys || keys.has(key.id)));
    const open = new Set(pending.map(({ id }) => id));
    for (const { id } of pending.reverse()) {
      const missing = this.#options.chats.filter((chat) => this.#clients.has(chat.client) && !this.#shown(nameOf(id, chat)));
      if (missing.length === 0) continue;
      const approval = await approvals.find(id);
      for (const chat of missing) await this.#ask(approval, chat, signal);
    }
    for (const name of Object.keys(this.#options.store.all('approval'))) {
      const id = name.split(' ', 1)[0] as string;
      if (!open.has(id)) await this.#end(await this.#find(id), name);
    }
  }

  async #ask(approval: ApprovalInfo, chat: ApproverChat, signal: AbortSignal): Promise<void> {
    const client = this.#clients.get(chat.client);
    if (!client) return;
    const { text, isWhole } = questionText(approval);
    const ctx = contextOf(chat, approval.id);
    const hasButtons = isWhole && client.askApproval !== undefined;
    const send = async () => {
      if (hasButtons) return client.askApproval?.(ctx, { id: approval.id, text });
      await client.sendMessage(ctx, [{ role: 'assistant', content: text }]);
      return undefined;
    };
    try {
      // The end of the agent does not wait for a client that never answers.
      const shown = await raced(send(), signal);
      this.#keep(nameOf(approval.id, chat), { text, ...(shown !== undefined && { shown }) });
    } catch (error) {
      signal.throwIfAborted();
      this.#report(chat, approval.id, error);
      // Left out: the platform would refuse it again.
      if (RefusedReply.is(error)) this.#keep(nameOf(approval.id, chat), { text });
    }
  }

  /** Replaces the buttons by what became of the question. */
  async #end(approval: ApprovalInfo | undefined, name: string): Promise<void> {
    const chat = this.#options.chats.find((one) => approval && nameOf(approval.id, one) === name);
    const client = chat && this.#clients.get(chat.client);
    const kept = this.#shown(name);
    if (approval?.status === 'pending' || (chat && !client)) return;
    if (client && approval && kept?.shown !== undefined)
      try {
        const ended = client.endQuestion?.(contextOf(chat, approval.id), kept.shown, `${kept.text}\n${outcomeText(approval)}`);
        await raced(ended ?? Promise.resolve(), AbortSignal.timeout(END_QUESTION_WITHIN_MS));
      } catch (error) {
        this.#report(chat, approval.id, error);
        if (!RefusedReply.is(error)) return;
      }
    this.#options.store.set('approval', name, null);
  }

  /** Undefined for a question that the service has deleted. */
  async #find(id: string): Promise<ApprovalInfo | undefined> {
    return this.#options.approvals.find(id).catch((error: unknown) => {
      if (SvcError.is(error) && error.code === 'NOT_FOUND') return undefined;
      throw error;
    });
  }

  #chatOf(clientId: string, chatId: string): ApproverChat | undefined {
    return this.#options.chats.find((chat) => chat.client === clientId && chat.chatId === chatId);
  }

  #shown(name: string): Shown | undefined {
    const kept = this.#options.store.all('approval')[name];
    return kept === undefined ? undefined : JSON.parse(kept);
  }

  #keep(name: string, shown: Shown): void {
    this.#options.store.set('approval', name, JSON.stringify(shown));
  }

  #report({ client: clientId, chatId }: ApproverChat, turnId: string, error: unknown): void {
    this.#options.emit({ type: 'reply-error', clientId, chatId, turnId, error: error instanceof Error ? error : new Error(String(error)) });
  }
}

function serviceError(error: unknown): SvcError {
  if (!SvcError.is(error)) throw error;
  return error;
}

function nameOf(id: string, { client, chatId }: ApproverChat): string {
  return `${id} ${client} ${chatId}`;
}

/** The message id makes a second sending of the same question one message, where the platform has that. */
function contextOf({ chatId }: ApproverChat, id: string): MessageContext {
  return { chatId, userId: '', message: '', messageId: `approval/${id}` };
}
