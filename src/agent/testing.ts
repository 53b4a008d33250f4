/** The public entry `svc-sdk/agent/testing`. Every export here is public API. */
export { type ContractCase, clientContract } from './testing/client-contract';
export type { MakeClient } from './testing/contract/stage';
export { type FakeDiscord, type FakeDiscordMessage, startFakeDiscord } from './testing/fake-discord';
export type { FakeFault, FakeMessage, FakePlatform, FakePress, SeenRequest, SentMessage } from './testing/fake-platform';
export { type FakeTelegram, startFakeTelegram } from './testing/fake-telegram';
export { type FakeX, startFakeX } from './testing/fake-x';
export type { FakeTelegramMessage } from './testing/telegram/said';
export type { FakeXMessage } from './testing/x/posts';
