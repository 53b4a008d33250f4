import type { LoadSvcToolsOptions, SvcToolsOptions, WithoutApproval } from 'svc-sdk/agent-tool';

/** Name of the framework, for the error when a program passes `needsApproval`. */
export const OPENAI = 'OpenAI';

/** There is no `needsApproval`: OpenAI's loops have no approval. */
export type SvcOpenAiOptions = WithoutApproval<SvcToolsOptions>;
export type LoadSvcOpenAiOptions = WithoutApproval<LoadSvcToolsOptions>;

export type WithImages = { images: true };
export type WithPrograms = { programmatic: true };
