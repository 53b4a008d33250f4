/** Answers a call of a tool: with its result, a question to the client's user, a task, or a handle for the model. */
import type { CallToolResult, InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server';
import type { CallToolOptions, RequiredApproval } from 'svc-sdk';
import type { AgentTool } from 'svc-sdk/agent-tool';
import { approvalQuestions, askToApprove, readDecision } from './ask-to-approve';
import { askToConnect, readConnectAnswer } from './ask-to-connect';
import { type ClientFeatures, featuresOf } from './client-features';
import { approvalOf, heldAnswer, WAITS } from './held-call';
import type { OfferedTools } from './offered-tools';
import type { RoundState } from './round-state';
import { createdTask } from './tasks';
import { toResult } from './tool';

interface AnsweredCall {
  tool: AgentTool;
  input: unknown;
  onProgress: CallToolOptions['onProgress'];
  server: Server;
  ctx: ServerContext;
}

/** The model's id of the call, from Claude Code and the Claude Agent SDK. */
const TOOL_USE_ID = 'claudecode/toolUseId';

/** An id of this form is another one in each call. Most clients count. */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export async function answerMcpCall(offered: OfferedTools, call: AnsweredCall): Promise<CallToolResult | InputRequiredResult> {
  const { tool, input, onProgress, server, ctx } = call;
  const { signal, id, inputResponses, _meta } = ctx.mcpReq;
  const client = featuresOf(server, ctx);
  const signed = [tool.name, input];
  const state = await offered.states.read(signed, ctx);
  const { callId = uniqueId(String(id), _meta?.[TOOL_USE_ID]), round = 0 } = state ?? {};
  const connected = readConnectAnswer(ctx);
  if (connected?.code !== undefined) await offered.confirm(connected.code);
  const decision = state && readDecision(inputResponses);
  // Decided or not, the call itself says what is true now.
  if (state && decision) await offered.decide?.(state.approvalId, decision).catch(() => {});

  const options = {
    signal,
    toolCallId: String(id),
    idempotencyKey: callId,
    onProgress,
    waitMs: client.tasks ? WAITS.taskMs : WAITS.holdMs,
  };
  const held = { tool, input, options, offered };
  const answer = await heldAnswer(held, holdMs(client, state), decision ? undefined : state?.approvalId);
  const approval = approvalOf(answer);
  if (client.tasks && answer.unfinished) return createdTask(answer.unfinished.invocationId, tool, answer, client);
  if (!approval) return (answer.error && askToConnect(answer.error, connected, client)) ?? toResult(answer, tool);

  const isNew = approval.id !== state?.approvalId;
  const questions = isNew ? await questionsOf(offered, call, approval, client) : {};
  if (client.tasks && !('decide' in questions)) return createdTask(approval.id, tool, answer, client);
  if (!client.rounds || round >= WAITS.rounds) return toResult(answer, tool);
  const next: RoundState = { callId, approvalId: approval.id, round: round + 1 };
  return askToApprove(questions, await offered.states.write(next, signed, ctx));
}

function uniqueId(requestId: string, toolUseId: unknown): string {
  if (typeof toolUseId === 'string' && /^toolu_\w{20,64}$/.test(toolUseId)) return toolUseId;
  return UUID.test(requestId) ? requestId : crypto.randomUUID();
}

/** A client with questions for its user, or with tasks, gets them at once. */
function holdMs({ rounds, tasks, page, form }: ClientFeatures, state: RoundState | undefined): number {
  return rounds && (tasks || (!state && (page || form))) ? 0 : WAITS.holdMs;
}

async function questionsOf(offered: OfferedTools, { tool, input, ctx }: AnsweredCall, approval: RequiredApproval, client: ClientFeatures) {
  const isForm = approval.decidedBy === 'app' && client.form && offered.decide !== undefined;
  return approvalQuestions(approval, client, isForm ? await offered.resolve(tool.name, input, { signal: ctx.mcpReq.signal }) : undefined);
}
