/**
 * Asks a client's user to connect an account that a call needs: the page by URL elicitation, then a form, which the user sends when the account is
 * connected, with the code if the page shows one. The client makes the same call again after each answer, so nothing is kept between.
 *
 * Shape: on revision 2026-07-28 the question is the result of the call; before, the SDK sends it as a request.
 */
import {
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { SvcError } from 'svc-sdk';
import type { ClientFeatures } from './client-features';

const PAGE = 'connect';
const FORM = 'connected';

/** The answer of the client's user, with which the call is made again. */
export interface ConnectAnswer {
  question: typeof PAGE | typeof FORM;
  /** The code that the page showed, as the user typed it. */
  code: string | undefined;
}

/**
 * Undefined for a call that is not made again.
 *
 * @throws SvcError CONNECTION_REQUIRED if the user refused
 */
export function readConnectAnswer({ mcpReq: { inputResponses } }: ServerContext): ConnectAnswer | undefined {
  for (const question of [FORM, PAGE] as const) {
    const answer = inputResponse(inputResponses, question);
    if (answer.kind !== 'elicit') continue;
    if (answer.action === 'accept') return { question, code: answer.content?.code === undefined ? undefined : String(answer.content.code) };
    const next = 'Make the call again only if the user asks for it';
    throw new SvcError('CONNECTION_REQUIRED', `The user did not connect the account, so the call did not run. ${next}`);
  }
  return undefined;
}

/** The next question. Undefined if the client cannot ask it, or has asked all: the model then reads the error with its link. */
export function askToConnect(
  { code, details: { connect } }: SvcError,
  answered: ConnectAnswer | undefined,
  { page, form }: ClientFeatures,
): InputRequiredResult | undefined {
  if (code !== 'CONNECTION_REQUIRED' || connect?.url === undefined) return undefined;
  const { toolkit, url, confirm } = connect;
  if (!answered && page)
    return ask(PAGE, inputRequired.elicitUrl({ message: `"${toolkit}" needs an account: connect it on this page`, url }));
  if (answered?.question !== PAGE || !form) return undefined;
  return ask(FORM, confirm ? codeForm(toolkit) : connectedForm(toolkit));
}

function ask(question: string, request: InputRequest): InputRequiredResult {
  return inputRequired({ inputRequests: { [question]: request } });
}

function codeForm(toolkit: string): InputRequest {
  return inputRequired.elicit({
    message: `Enter the code that the page of "${toolkit}" shows when the account is connected`,
    requestedSchema: { type: 'object', properties: { code: { type: 'string', title: 'Code' } }, required: ['code'] },
  });
}

function connectedForm(toolkit: string): InputRequest {
  return inputRequired.elicit({
    message: `Go on when the page says that the account of "${toolkit}" is connected`,
    requestedSchema: { type: 'object', properties: {} },
  });
}
