import { estimateTokens } from '#sdk/protocol/estimate-tokens';
import type { ActionRule } from './action-rule';

const MOST_DESCRIPTION_CHARS = 1_000;
/** Nearly all that a search answer has for all of its actions. */
const MOST_PAYLOAD_TOKENS = 1_000;

export const longDescription: ActionRule = ({ description }) => {
  if (description.length <= MOST_DESCRIPTION_CHARS) return undefined;
  return {
    rule: 'long-description',
    severity: 'warning',
    message: `The description has ${description.length} characters: models pay for each, in every search that finds it`,
    hint: `Keep it below ${MOST_DESCRIPTION_CHARS}: what it does, when to use it, what comes back. Details of a parameter belong into its own description`,
  };
};

export const largePayload: ActionRule = ({ payloadSchema }) => {
  const tokens = estimateTokens(JSON.stringify(payloadSchema));
  if (tokens <= MOST_PAYLOAD_TOKENS) return undefined;
  return {
    rule: 'large-payload',
    severity: 'warning',
    message: `The payload description has about ${tokens} tokens: a model may not be shown all of it`,
    hint: `Keep it below ${MOST_PAYLOAD_TOKENS}: leave out parameters that hardly anyone needs, or split the action into several`,
  };
};
