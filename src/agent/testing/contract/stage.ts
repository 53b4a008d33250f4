/** A fake platform for one case, with its own chats and clients that are stopped at the end. */
import { randomInt } from 'node:crypto';
import type { BaseClient } from '../../chat/base-client';
import type { FakeMessage, SentMessage } from '../fake-platform';
import { type FakeWithCredentials, Secrets } from './secrets';
import { TestedClient } from './tested-client';

/** Makes a client with valid or invalid credentials. */
export type MakeClient = (credentials: 'right' | 'wrong') => BaseClient;

export class Stage {
  readonly fake: FakeWithCredentials;
  readonly #make: MakeClient;
  readonly #secrets: Secrets;
  readonly #clients: TestedClient[] = [];
  readonly #chats = new Set<string>();
  #said = 0;

  constructor(make: MakeClient, fake: FakeWithCredentials) {
    this.#make = make;
    this.fake = fake;
    this.#secrets = new Secrets(fake);
  }

  /** A numeric id, which every platform of this package accepts. */
  openChat(): string {
    const chatId = String(randomInt(2 ** 32, 2 ** 47));
    this.#chats.add(chatId);
    return chatId;
  }

  /** Sends a message of a person. Returns its text, which is unique. */
  async say(chatId: string, message: Partial<FakeMessage> = {}): Promise<string> {
    this.#said += 1;
    const text = `message ${this.#said} in ${chatId}`;
    await this.fake.say({ text, chatId, ...message });
    return text;
  }

  /** Sends several messages in order. */
  async sayAll(chatId: string, count: number): Promise<string[]> {
    const texts: string[] = [];
    while (texts.length < count) texts.push(await this.say(chatId));
    return texts;
  }

  client(credentials: 'right' | 'wrong' = 'right'): TestedClient {
    const client = this.#make(credentials);
    this.#secrets.checkAbsent('The clientId', client.clientId);
    const tested = new TestedClient(client, this.#secrets, ({ chatId }) => this.#chats.has(chatId));
    this.#clients.push(tested);
    return tested;
  }

  sentIn(chatId: string): SentMessage[] {
    return this.fake.sent.filter((sent) => sent.chatId === chatId);
  }

  textsIn(chatId: string): string[] {
    return this.sentIn(chatId).map(({ text }) => text);
  }

  async end(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.stop()));
  }
}
