/**
 * An agent in Telegram. @BotFather makes the bot and its token.
 *
 *   npm install svc-sdk grammy @grammyjs/auto-retry
 *   SVC_AGENT_API_KEY=… TELEGRAM_BOT_TOKEN=… SVC_MODEL=openai/gpt-5-mini OPENAI_API_KEY=… node examples/agent/telegram.ts
 */
import { Agent } from 'svc-sdk/agent';
import { TelegramClient } from 'svc-sdk/agent/telegram';

const { TELEGRAM_BOT_TOKEN: botToken = '', TELEGRAM_API_ROOT: apiRoot } = process.env;
const telegram = new TelegramClient({ botToken, ...(apiRoot && { apiRoot }) });
const agent = new Agent({
  clients: [telegram],
  store: process.env.SVC_AGENT_STORE ?? 'telegram.db',
  onEvent: (event) => {
    if ('error' in event && event.error) console.error(`${event.type}: ${event.error.message}`);
  },
});
await agent.run();
