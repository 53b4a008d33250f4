/** The public entry `svc-sdk/agent/ai`. */
export { aiModel } from './ai/ai-model';
