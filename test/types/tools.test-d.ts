/** Compiled by `tsc`, never run: the shapes fit the clients that people hold. */
import type OpenAI from 'openai';
import { type FindCredential, SvcError, type ToolDefinition, Tools } from 'svc-sdk';
import { fetch as undiciFetch } from 'undici';

declare const openai: OpenAI;

export async function theOpenAiLoopNeedsNoCast(messages: OpenAI.ChatCompletionMessageParam[]): Promise<void> {
  const tools = new Tools();
  const completion = await openai.chat.completions.create({ model: 'm', messages, tools: await tools.getTools() });
  const message = completion.choices[0]?.message;
  if (message) messages.push(message, ...(await tools.callTools(message.tool_calls)));
}

export const toolsAreOpenAis: Promise<OpenAI.ChatCompletionTool[]> = new Tools().getTools({ staticToolkits: ['weather'] as const });
export const messagesAreOpenAis: Promise<OpenAI.ChatCompletionToolMessageParam[]> = new Tools().callTools(null);

export const anyFetchFits = [
  new Tools({ fetch: globalThis.fetch }),
  new Tools({ fetch: undiciFetch }),
  new Tools({ fetch: async (_url, init) => new Response(init.body) }),
];

export function frameworksPassUndefined(signal: AbortSignal | undefined, toolCallId: string | undefined): Promise<unknown> {
  return new Tools({ apiKey: process.env.MY_KEY }).callTool('search_services', {}, { signal, toolCallId });
}

interface Forecast {
  celsius: number;
}
export async function theResultHasTheTypeThatIsNamed(tools: Tools): Promise<number> {
  const { result } = await tools.invoke<Forecast>('weather__today', { city: 'Rome' });
  const plain = await tools.invoke('weather__today');
  // @ts-expect-error it has no type
  plain.result.celsius;
  return result.celsius;
}

export async function paymentsAreTexts(tools: Tools): Promise<string | undefined> {
  const { payment } = await tools.invoke('maps__draw', {}, { maxPayment: '0.05' });
  // @ts-expect-error a number is not an exact amount
  new Tools({ maxPayment: 0.05 });
  return payment?.charged;
}

declare const tokens: Map<string, string>;
const find: FindCredential = async (toolkit, userId) => {
  const bearer = tokens.get(`${toolkit} ${userId}`);
  return bearer === undefined ? undefined : { bearer };
};
export const connected = [
  new Tools({ userId: 'ada', connections: find, connectionNames: { github: 'work' } }),
  new Tools({ connections: (toolkit) => (toolkit === 'shop' ? { basic: { username: 'ada', password: 'secret' } } : null) }),
  new Tools({ onConnectionRequired: async ({ url, userId }) => url.startsWith('https:') && userId === 'ada' }),
  // A function that only shows the link.
  new Tools({ onConnectionRequired: ({ url }) => console.log(url) }),
  new Tools({ onConnectionRequired: async ({ url }) => console.log(url) }),
  new Tools().for({ userId: 'ada', connections: find }),
];

export async function accountsOfUsers(tools: Tools): Promise<string | undefined> {
  await tools.invoke('github__list', {}, { userId: 'ada', connection: { apiKey: 'key' }, connectionName: 'work' });
  const { url, expiresAt }: { url: string; expiresAt: string } = await tools.connectUrl({ userId: 'ada', toolkits: ['github'] });
  // @ts-expect-error one credential is one of three
  await tools.invoke('github__list', {}, { connection: { token: url } });
  // @ts-expect-error a credential of a model has no place
  await tools.callTool('github__list', {}, { connection: { bearer: url } });
  return (await tools.confirmConnection({ code: expiresAt })).account;
}

export const asking = [
  new Tools({ approvals: 'wait', onApprovalRequired: ({ decidedBy }) => (decidedBy === 'app' ? 'approve' : 'deny') }),
  new Tools({ onApprovalRequired: async ({ userId }) => ({ decision: 'deny', reason: `${userId} said no`, sessionSeconds: 60 }) }),
  // A function that only shows the question.
  new Tools({ onApprovalRequired: ({ action, payload }) => console.log(action, payload) }),
  new Tools({ onApprovalRequired: async ({ id }) => console.log(id) }),
  new Tools().for({ approvals: 'report' }),
];

export async function handlesOfLongCalls(tools: Tools): Promise<Forecast | undefined> {
  const started = await tools.invoke<Forecast>('weather__year', {}, { wait: false });
  // @ts-expect-error it may be unfinished
  started.result;
  const outcome = await tools.result<Forecast>(started.invocationId, { wait: 30 });
  await tools.cancel(started.invocationId);
  if ('result' in outcome) return outcome.result;
  outcome.progress?.message?.trim();
  const { status } = await tools.decideApproval(outcome.approval?.id ?? '', { decision: 'approve' });
  return status === 'used' ? undefined : (await tools.invoke<Forecast>('weather__today', {}, { wait: true })).result;
}

class CountedTools extends Tools {
  count = 0;
}
export const view: CountedTools = new CountedTools().for({ userId: 'ada' });

// @ts-expect-error the definitions are shared and frozen
new Tools().definitions().push({} as ToolDefinition);
// @ts-expect-error a name is not changed either
(new Tools().definitions()[0] as ToolDefinition).name = 'other';
// @ts-expect-error errors are made with a code of the list
new SvcError('NO_SUCH_CODE', '');
