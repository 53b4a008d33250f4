/** Adds to errors about a key where the user of an MCP client sets it: the user sees nothing else, and only the user can correct it. */
import { SvcError, type SvcErrorCode } from 'svc-sdk';
import { failedAnswer, type ToolsLike } from 'svc-sdk/agent-tool';
import { log } from './log';

const KEY_ERRORS: readonly SvcErrorCode[] = ['INVALID_KEY', 'KEY_EXPIRED', 'KEY_REVOKED', 'WRONG_KEY_KIND'];
const WHERE_THE_KEY_IS =
  'The user can mend it: the key is SVC_AGENT_API_KEY in the "env" of this server in the MCP client\'s configuration; restart the client after a change.';

export function explainedTools(tools: ToolsLike): ToolsLike {
  return {
    definitions: () => tools.definitions(),
    resolve: (...args) => tools.resolve(...args),
    search: (...args) => tools.search(...args),
    ...(tools.invoke && { invoke: tools.invoke.bind(tools) }),
    ...(tools.confirmConnection && { confirmConnection: tools.confirmConnection.bind(tools) }),
    ...(tools.result && { result: tools.result.bind(tools) }),
    ...(tools.cancel && { cancel: tools.cancel.bind(tools) }),
    ...(tools.decideApproval && { decideApproval: tools.decideApproval.bind(tools) }),
    async answerTool(...args) {
      const answer = await tools.answerTool(...args);
      return answer.error && KEY_ERRORS.includes(answer.error.code) ? failedAnswer(explain(answer.error)) : answer;
    },
    async loadDefinitions(options) {
      try {
        return await tools.loadDefinitions(options);
      } catch (error) {
        if (!SvcError.is(error)) throw error;
        log(error);
        throw explain(error);
      }
    },
  };
}

/** The tools of a server with an invalid configuration: every request fails with the reason. */
export function failingTools(error: SvcError): ToolsLike {
  return {
    definitions: () => [],
    resolve: () => Promise.reject(error),
    search: () => Promise.reject(error),
    answerTool: async () => failedAnswer(error),
    loadDefinitions: () => Promise.reject(error),
  };
}

function explain(error: SvcError): SvcError {
  return KEY_ERRORS.includes(error.code) ? new SvcError(error.code, `${error.message}. ${WHERE_THE_KEY_IS}`, error.details) : error;
}
