/** The public entry `svc-sdk/agent`. Every export here is public API. */
export { Agent } from './agent';
export { BaseClient, type Question, RefusedReply } from './chat/base-client';
export { imageDataUrl, readImageDataUrl } from './chat/images';
export { type ImagePart, type Message, type MessagePart, messageText, type TextPart, type ToolCall } from './chat/message';
export type { MessageContext } from './chat/message-context';
export { replyImages, replyText } from './chat/reply';
export { split } from './chat/split';
export type { TextUnit } from './chat/text-units';
export type {
  AgentEvent,
  ApprovalsErrorEvent,
  ClientStateEvent,
  HandlerErrorEvent,
  MessageErrorEvent,
  ModelErrorEvent,
  ReplyErrorEvent,
  TurnCode,
  TurnEndEvent,
  TurnStartEvent,
} from './events';
export type { AskModel, ModelAnswer, ModelRequest, TokenCount } from './model/ask-model';
export { ModelRequestError, type ModelRequestErrorDetails } from './model/model-request-error';
export type { AgentOptions, ApproveCall, CallToApprove } from './options';
