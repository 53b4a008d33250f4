/** The public entry `svc-sdk/agent/telegram`. Every export here is public API. */
export { TelegramClient, type TelegramOptions } from './telegram/telegram-client';
