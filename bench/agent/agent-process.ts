/**
 * An agent in a separate process, to be killed. Reads its options from the environment: `SVC_BASE_URL`, `SVC_AGENT_API_KEY`, `SVC_MODEL`,
 * `OPENAI_BASE_URL`, `OPENAI_API_KEY`, `TELEGRAM_TOKEN`, `TELEGRAM_API_ROOT`, `AGENT_STORE`. Prints `started` once it receives messages, and ends at
 * SIGTERM.
 */
import { Agent } from 'svc-sdk/agent';
import { TelegramClient } from 'svc-sdk/agent/telegram';

const { AGENT_STORE, TELEGRAM_TOKEN = '', TELEGRAM_API_ROOT = '' } = process.env;

const agent = new Agent({
  store: AGENT_STORE,
  clients: [new TelegramClient({ botToken: TELEGRAM_TOKEN, apiRoot: TELEGRAM_API_ROOT })],
  onEvent: (event) => {
    if (event.type === 'client-state' && event.state === 'started') console.log('started');
    if ('error' in event) console.error(event.type, event.error);
  },
});
await agent.run();
