/** The public door of `svc-sdk/agent/telegram`. Adding a line here is making API. */
export { TelegramClient, type TelegramOptions } from './telegram/telegram-client';
