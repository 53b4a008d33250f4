/** Checks the options of an agent and adds defaults. */
import { SvcError, Tools, toMillionths } from 'svc-sdk';
import { chatCompletionsModel } from './model/chat-completions';
import type { AgentOptions, ApproverChatsOption } from './options';

const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

export type ReadAgentOptions = ReturnType<typeof readAgentOptions>;

/** @throws SvcError INVALID_REQUEST */
export function readAgentOptions(options: AgentOptions) {
  const { apiKey, baseUrl, agentId = '', store = 'svc-agent.db', approve = 'ask', askAbove, owners = [], edit = false } = options;
  if (askAbove !== undefined && toMillionths(askAbove) === undefined)
    throw new SvcError('INVALID_REQUEST', `askAbove must be an amount as a text, such as "0.50", not ${String(askAbove)}`);
  if (approve !== 'ask' && approve !== 'never' && typeof approve !== 'function')
    throw new SvcError('INVALID_REQUEST', `approve is 'ask', 'never' or a function, not ${JSON.stringify(approve)}`);
  const misnamed = owners.find((owner) => !/^.+\/.+$/.test(owner));
  if (misnamed !== undefined)
    throw new SvcError(
      'INVALID_REQUEST',
      `owners are written <client id>/<user id>, such as telegram-42/7, not ${JSON.stringify(misnamed)}`,
    );
  // Throws for a wrong URL before the first message arrives.
  new Tools({ apiKey, baseUrl });
  return {
    apiKey,
    baseUrl,
    agentId,
    store,
    askAbove,
    approvals: options.approvals && readApprovals(options.approvals, owners),
    model: options.model ?? chatCompletionsModel(),
    hasOwnModel: options.model !== undefined,
    accept: options.accept ?? (() => true),
    onEvent: options.onEvent ?? (() => {}),
    toolCallConcurrency: wholeNumber('toolCallConcurrency', options.toolCallConcurrency ?? 10, 1_000),
    maxConcurrentTurns: wholeNumber('maxConcurrentTurns', options.maxConcurrentTurns ?? 16, 10_000),
    retentionDays: wholeNumber('retentionDays', options.retentionDays ?? 30, 36_500),
    limits: {
      approve,
      owners: new Set(owners),
      edit,
      maxSteps: wholeNumber('maxSteps', options.maxSteps ?? 20, 100),
      maxCallsPerStep: wholeNumber('maxCallsPerStep', options.maxCallsPerStep ?? 32, 1_000),
      turnTimeoutMs: wholeNumber('turnTimeoutMs', options.turnTimeoutMs ?? 300_000, MAX_TIMEOUT_MS),
      historyTokens: wholeNumber('historyTokens', options.historyTokens ?? 24_000, 10_000_000),
    },
  };
}

function readApprovals({ apiKey, chats, keys, pollMs = 2_000 }: ApproverChatsOption, owners: readonly string[]) {
  const key = (apiKey ?? process.env.SVC_ADMIN_API_KEY ?? '').trim();
  if (!/^svc_admin_[\x21-\x7e]+$/.test(key))
    throw new SvcError('INVALID_KEY', 'approvals need an admin key, svc_admin_…: set SVC_ADMIN_API_KEY or pass { apiKey }');
  const unmanned = chats.find(({ client, users = [] }) => users.length === 0 && !owners.some((owner) => owner.startsWith(`${client}/`)));
  if (unmanned)
    throw new SvcError(
      'INVALID_REQUEST',
      `Chat ${unmanned.chatId} of ${unmanned.client} has no person who may decide: name \`users\`, or \`owners\` of the agent`,
    );
  return { apiKey: key, chats, keys: keys && new Set(keys), pollMs: wholeNumber('approvals.pollMs', pollMs, MAX_TIMEOUT_MS) };
}

function wholeNumber(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new SvcError('INVALID_REQUEST', `${name} must be a whole number from 1 to ${max}, not ${String(value)}`);
}
