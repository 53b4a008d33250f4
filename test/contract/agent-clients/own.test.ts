/** A custom client passes the contract; a client with a fault fails the case about that fault. */
import { RefusedReply } from 'svc-sdk/agent';
import { expect, test } from 'vitest';
import { type BoardFault, contractOf, expectFound } from '../../../service/test/contract/board-contract';
import { BoardClient, type BoardOptions, type Post } from '../../support/board';

test('a client of one’s own keeps the contract', async () => {
  for (const { run } of await contractOf(BoardClient)) await run();
});

test('the cases for buttons and partial texts are skipped for a client without them', async () => {
  class PlainClient extends BoardClient {
    override askApproval = undefined as never;
    override showPartial = undefined as never;
  }
  const names = new Set((await contractOf(PlainClient)).map(({ name }) => name));
  const others = (await contractOf(BoardClient)).map(({ name }) => name).filter((name) => !names.has(name));
  expect(others).toEqual(['a question shows two buttons, and a press comes back as its answer', 'a text that grows ends as one message']);
});

/** Those that show by silence are in own-silent.test.ts. */
const FAULTS: Record<string, BoardFault> = {
  'an id by chance': [
    class extends BoardClient {
      override clientId = `board-${Math.random()}`;
    },
    'the id is known before the start, and belongs to the account',
    /^A second client with the same credentials has the clientId "board-.*, and should be "board-/,
  ],
  'another person': [
    class extends BoardClient {
      override toContext(post: Post) {
        return { ...super.toContext(post), userId: 'somebody' };
      }
    },
    'a message arrives with chat, user, text and id',
    /"userId":"somebody".* should be .*"userId":"2000000101"/,
  ],
  'no message id': [
    class extends BoardClient {
      override toContext(post: Post) {
        const { messageId, ...ctx } = super.toContext(post);
        return ctx;
      }
    },
    'a message arrives with chat, user, text and id',
    /^messageId has to be a text, and is undefined/,
  ],
  'a context that is not JSON': [
    class extends BoardClient {
      override toContext(post: Post) {
        return { ...super.toContext(post), address: { at: new Date(0) } };
      }
    },
    'a message arrives with chat, user, text and id',
    /^The context has to be JSON, for it is stored/,
  ],
  'the newest message first': [
    class extends BoardClient {
      override async poll(signal: AbortSignal) {
        return (await super.poll(signal)).toReversed();
      }
    },
    'messages of one chat arrive in order, each with an id of its own',
    /^The messages of one chat came as \["message 5/,
  ],
  'an id for each copy': [
    class extends BoardClient {
      override toContext(post: Post) {
        return { ...super.toContext(post), messageId: `${post.number}` };
      }
    },
    'a message that the platform delivers twice has one id',
    /^The copies of one message have the messageIds 1 and 2/,
  ],
  'no cursor': [
    class extends BoardClient {
      override async start() {
        this.cursor = null;
        await super.start();
      }
    },
    'a new client continues at the cursor',
    /^After the cursor of the first message came \["message 1.* should be \["message 2/,
  ],
  'a cursor that is ahead': [
    class extends BoardClient {
      override async poll(signal: AbortSignal) {
        const posts = await super.poll(signal);
        this.ahead = posts.at(-1)?.number ?? this.ahead;
        return posts;
      }
      override toContext(post: Post) {
        this.cursor = this.ahead;
        return super.toContext(post);
      }
      ahead = 0;
    },
    'a new client continues at the cursor',
    /^After the cursor of the first message came \["message 4.* should be \["message 2/,
  ],
  'a cursor that is behind': [
    class extends BoardClient {
      override toContext(post: Post) {
        this.cursor = post.number - 1;
        return super.toContext(post);
      }
    },
    'a new client continues at the cursor',
    /^After the cursor of the first message came \["message 1.* should be \["message 2/,
  ],
  'each message twice': [
    class extends BoardClient {
      override async poll(signal: AbortSignal) {
        return (await super.poll(signal)).flatMap((post) => [post, post]);
      }
    },
    'messages of one chat arrive in order, each with an id of its own',
    /^The messages of one chat came as \["message 1 in (\d+)","message 1 in \1"/,
  ],
  'a start that does not wait': [
    class extends BoardClient {
      override async requestOnce(...request: Parameters<BoardClient['requestOnce']>) {
        const answer = await super.requestOnce(...request);
        if (answer === undefined && request[1] === '/account') throw new Error('The board cannot be reached');
        return answer;
      }
    },
    'a start waits for a platform that fails',
    /^start\(\) failed, and should not: The board cannot be reached/,
  ],
  'a receive that does not wait': [
    class extends BoardClient {
      override async requestOnce(...request: Parameters<BoardClient['requestOnce']>) {
        const answer = await super.requestOnce(...request);
        if (answer === undefined && request[1].startsWith('/posts')) throw new Error('The board cannot be reached');
        return answer;
      }
    },
    'a cut connection loses no message, and none comes twice',
    /^receiveMessage failed, and should not: The board cannot be reached/,
  ],
  'messages that an answer confirms': [
    class extends BoardClient {
      override async requestOnce(...request: Parameters<BoardClient['requestOnce']>) {
        const answer = await super.requestOnce(...request);
        if (answer === undefined && request[1].startsWith('/posts')) this.lost += 1;
        return answer;
      }
      override async poll(signal: AbortSignal) {
        const { lost } = this;
        const posts = await super.poll(signal);
        return this.lost > lost ? posts.slice(1) : posts;
      }
      lost = 0;
    },
    'an answer that is lost on its way loses no message, and none comes twice',
    /^After the failure came \["message 3.* should be \["message 2/,
  ],
  'a rate limit that is final': [
    class extends BoardClient {
      override refused(status: number, path: string) {
        if (status === 429 && path.startsWith('/replies')) throw new RefusedReply('The board limits the rate');
        return super.refused(status, path);
      }
    },
    'a reply is sent after 429 and 503, once',
    /^sendMessage threw a RefusedReply for a failure that passes: The board limits the rate/,
  ],
  'replies to the last chat': [
    class extends BoardClient {
      override toContext(post: Post) {
        this.last = post.chat;
        return super.toContext(post);
      }
      override show(_chat: string, text: string, shown?: unknown) {
        return super.show(this.last, text, shown);
      }
      last = '';
    },
    'a reply arrives in the chat of its message',
    /^The chat shows \[\], and should be \["answer to message 1/,
  ],
  'an address in memory': [
    class extends BoardClient {
      override toContext(post: Post) {
        this.chats.set(post.id, post.chat);
        return super.toContext(post);
      }
      override async sendMessage(...[ctx, messages]: Parameters<BoardClient['sendMessage']>) {
        await super.sendMessage({ ...ctx, chatId: this.chats.get(ctx.messageId ?? '') ?? '' }, messages);
      }
      chats = new Map<string, string>();
    },
    'a reply goes out after a restart',
    /^The chat shows \[\], and should be \["answer in /,
  ],
  'pieces out of order': [
    class extends BoardClient {
      override toPieces(text: string) {
        return super.toPieces(text).toReversed();
      }
    },
    'a long reply arrives whole and in order, or as one message that ends with …',
    /^A reply of 1200 words has to arrive whole and in order, and the chat shows \d\d messages/,
  ],
  'a lost piece': [
    class extends BoardClient {
      override toPieces(text: string) {
        return super.toPieces(text).slice(0, 3);
      }
    },
    'a long reply arrives whole and in order, or as one message that ends with …',
    /the chat shows 3 messages/,
  ],
  'refusals that pass': [
    class extends BoardClient {
      override refused(status: number, path: string) {
        return status === 403 ? undefined : super.refused(status, path);
      }
    },
    'a reply that the platform refuses (403) is a RefusedReply',
    /^sendMessage, when the platform refuses, has to reject with an Error, and resolved/,
  ],
  'refusals without their class': [
    class extends BoardClient {
      override refused(status: number, path: string) {
        if (status === 403) throw new Error('The board refuses');
        return super.refused(status, path);
      }
    },
    'a reply that the platform refuses (403) is a RefusedReply',
    /^sendMessage threw Error \(The board refuses\)\. After a refusal for good it has to be a RefusedReply/,
  ],
  'a no that is a yes': [
    class extends BoardClient {
      override toContext(post: Post) {
        return super.toContext({ ...post, ...(post.pressed && { pressed: post.pressed.replace('no', 'yes') }) });
      }
    },
    'a question shows two buttons, and a press comes back as its answer',
    /^The press came as .*"approved":true.* should be .*"approved":false/,
  ],
  'a message for each partial text': [
    class extends BoardClient {
      override showPartial(...[{ chatId }, text]: Parameters<BoardClient['showPartial']>) {
        return this.show(chatId, text);
      }
    },
    'a text that grows ends as one message',
    /^The chat shows \["An answer","An answer that grows"\], and should be/,
  ],
  'a stop that needs a start': [
    class extends BoardClient {
      override async start() {
        await super.start();
        this.isStarted = true;
      }
      override async stop() {
        if (!this.isStarted) throw new Error('Start the client first');
        await super.stop();
      }
      isStarted = false;
    },
    'stop() works without a start, and twice',
    /^stop\(\) failed, and should not: Start the client first/,
  ],
  'a start that checks nothing': [
    class extends BoardClient {
      override async start() {
        this.stopping = new AbortController();
      }
    },
    'wrong credentials reject the start in words',
    /^start\(\) with wrong credentials has to reject with an Error, and resolved/,
  ],
  'an error without words': [
    class extends BoardClient {
      override refused(status: number): undefined {
        throw new Error(`${status}`);
      }
    },
    'wrong credentials reject the start in words',
    /^The error has to say what happened and what to do, and says "401"/,
  ],
  'a token in an error': [
    class extends BoardClient {
      readonly token: string;
      constructor(options: BoardOptions) {
        super(options);
        this.token = options.token;
      }
      override refused(status: number, path: string) {
        if (status === 404) throw new RefusedReply('The board refuses', { cause: { headers: { authorization: `Bearer ${this.token}` } } });
        return super.refused(status, path);
      }
    },
    'no error, context or cursor holds a credential',
    /^The error of sendMessage, answered with 404, holds a credential/,
  ],
  'a wrong token in an error': [
    class extends BoardClient {
      readonly token: string;
      constructor(options: BoardOptions) {
        super(options);
        this.token = options.token;
      }
      override refused(): undefined {
        throw new Error(`The board refuses the token ${this.token}`);
      }
    },
    'no error, context or cursor holds a credential',
    /^The error of start\(\) with wrong credentials holds a credential/,
  ],
  'a token in a context': [
    class extends BoardClient {
      readonly token: string;
      constructor(options: BoardOptions) {
        super(options);
        this.token = options.token;
      }
      override toContext(post: Post) {
        return { ...super.toContext(post), images: [`https://board.example/${encodeURIComponent(this.token)}/image.png`] };
      }
    },
    'no error, context or cursor holds a credential',
    /^The context holds a credential/,
  ],
};

test.concurrent.each(Object.entries(FAULTS))('the contract finds %s', (_, fault) => expectFound(fault), 60_000);
