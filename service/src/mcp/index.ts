/** Everything that needs the MCP SDK. Loaded with the first message: a service without MCP clients does not start later for it. */
export { isJsonContentType } from '@modelcontextprotocol/server';
export { answerBatch } from './answer-batch';
export { answerMessage } from './answer-message';
export { refuseHost, refuseOrigin } from './check-host';
export { ownServer } from './own-server';
export { Sessions } from './sessions';
