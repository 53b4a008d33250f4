/**
 * The contract of every bus. Its test calls `busContract` with a function that creates a new, empty exchange for buses.
 */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Bus } from '../../src/bus/bus';
import { MAX_MESSAGE_CHARS } from '../../src/bus/bus';
import type { Logger } from '../../src/lib/logger';

/** Opens a bus there, any number of times. */
export type OpenBus = (logger: Logger) => Promise<Bus>;

export function busContract(name: string, newExchange: () => Promise<OpenBus>): void {
  /** Buses that meet, closed when the test ends. */
  async function setUp(count: number, logger: Logger = failOnError()): Promise<Bus[]> {
    const open = await newExchange();
    return Promise.all(
      Array.from({ length: count }, async () => {
        const bus = await open(logger);
        onTestFinished(() => bus.close());
        return bus;
      }),
    );
  }

  describe(`${name}: publish`, () => {
    test('every subscriber receives a message once, in the same bus and in others', async () => {
      const [a, b] = (await setUp(2)) as [Bus, Bus];
      const heard: string[] = [];
      for (const [who, bus] of Object.entries({ a, b })) {
        bus.subscribe('news', (message) => heard.push(`${who}1 ${message}`));
        bus.subscribe('news', (message) => heard.push(`${who}2 ${message}`));
        bus.subscribe('news.other', () => heard.push('another subject'));
      }
      await settle(a, b);
      a.publish('news', 'hello');
      await settle(a, b);
      expect(heard.sort()).toEqual(['a1 hello', 'a2 hello', 'b1 hello', 'b2 hello']);
    });

    test('one subscriber of each group receives a message, and every subscriber without a group', async () => {
      const [a, b, c] = (await setUp(3)) as [Bus, Bus, Bus];
      const heard = { red: 0, blue: 0, plain: 0 };
      const members = new Set<number>();
      for (const [index, bus] of [a, b, c].entries()) {
        bus.subscribe('work', () => void heard.red++, { group: 'red' });
        bus.subscribe('work', () => void members.add(index), { group: 'blue' });
        bus.subscribe('work', () => void heard.blue++, { group: 'green' });
        bus.subscribe('work', () => void heard.plain++);
      }
      await settle(a, b, c);
      for (let count = 0; count < 60; count++) a.publish('work', 'do');
      await settle(a, b, c);
      expect(heard).toEqual({ red: 60, blue: 60, plain: 180 });
      expect(members.size).toBe(3);
    });

    test('messages arrive in order, and never inside the stack of their sender', async () => {
      const [a, b] = (await setUp(2)) as [Bus, Bus];
      const heard: number[] = [];
      b.subscribe('count', (message) => heard.push(Number(message)));
      a.subscribe('count', () => expect(sending).toBe(false));
      await settle(a, b);
      let sending = true;
      for (let number = 0; number < 500; number++) a.publish('count', String(number));
      sending = false;
      await settle(a, b);
      expect(heard).toEqual(Array.from({ length: 500 }, (_, index) => index));
    });

    test('a text arrives as it was sent', async () => {
      const [a, b] = (await setUp(2)) as [Bus, Bus];
      const heard: string[] = [];
      b.subscribe('text', (message) => heard.push(message));
      await settle(a, b);
      const texts = ['', ' ', '\r\n\u0000\t', 'Žluťoučký 🐎', '{"a":"\\ud800"}', '日本語'.repeat(300_000)];
      for (const text of texts) a.publish('text', text);
      await vi.waitFor(() => expect(heard).toHaveLength(texts.length));
      expect(heard.every((text, index) => text === texts[index])).toBe(true);
    });

    test('a published message cannot be answered', async () => {
      const [a, b] = (await setUp(2)) as [Bus, Bus];
      const heard: string[] = [];
      b.subscribe('news', (message, answer) => {
        answer('an answer');
        heard.push(message);
      });
      await settle(a, b);
      a.publish('news', 'one');
      a.publish('news', 'two');
      await settle(a, b);
      expect(heard).toEqual(['one', 'two']);
    });
  });

  describe(`${name}: ask`, () => {
    test('one member of a group answers, any number of times, in order', async () => {
      const [a, b, c] = (await setUp(3)) as [Bus, Bus, Bus];
      for (const [index, bus] of [b, c].entries()) {
        bus.subscribe(
          'calls',
          (message, answer) => {
            for (let count = 0; count < 20; count++) answer(`${message} ${count} of ${index}`);
          },
          { group: 'nodes' },
        );
      }
      await settle(a, b, c);
      const answers: string[] = [];
      a.ask('calls', 'call', { answer: (answer) => answers.push(answer), noResponder: unexpected });
      await vi.waitFor(() => expect(answers).toHaveLength(20));
      await settle(a, b, c);
      const who = answers[0]?.at(-1);
      expect(answers).toEqual(Array.from({ length: 20 }, (_, count) => `call ${count} of ${who}`));
    });

    test('a late answer arrives, and none after the asker has stopped', async () => {
      const [a, b] = (await setUp(2)) as [Bus, Bus];
      let answerLater = (_: string) => {};
      b.subscribe('calls', (_, answer) => {
        answerLater = answer;
        answer('soon');
      });
      await settle(b);
      const answers: string[] = [];
      const stop = a.ask('calls', 'call', { answer: (answer) => answers.push(answer), noResponder: unexpected });
      await vi.waitFor(() => expect(answers).toEqual(['soon']));
      answerLater('late');
      await vi.waitFor(() => expect(answers).toEqual(['soon', 'late']));
      stop();
      answerLater('too late');
      await settle(b, a);
      expect(answers).toEqual(['soon', 'late']);
    });

    test('a request without a subscriber fails at once', async () => {
      const [a, b] = (await setUp(2)) as [Bus, Bus];
      b.subscribe('other', unexpected);
      const stop = b.subscribe('calls', unexpected, { group: 'nodes' });
      stop();
      await settle(b);
      await new Promise<void>((resolve) => a.ask('calls', 'call', { answer: unexpected, noResponder: resolve }));
      await new Promise<void>((resolve) => a.ask('calls', 'x'.repeat(2_000_000), { answer: unexpected, noResponder: resolve }));
    });

    test('a cancelled request gets no answer', async () => {
      const [a] = (await setUp(1)) as [Bus];
      a.ask('calls', 'call', { answer: unexpected, noResponder: unexpected })();
      await settle(a);
    });

    test('while members join and leave, every request is answered or fails because there is no member', async () => {
      const [a, b, c] = (await setUp(3)) as [Bus, Bus, Bus];
      const join = (bus: Bus) => bus.subscribe('calls', (message, answer) => answer(message), { group: 'nodes' });
      const stays = join(b);
      let leaves = join(c);
      await settle(b, c);
      let answered = 0;
      let refused = 0;
      for (let count = 0; count < 400; count++) {
        a.ask('calls', 'call', { answer: () => void answered++, noResponder: () => void refused++ });
        if (count % 20 === 10) leaves();
        if (count % 20 === 0) leaves = join(c);
        if (count % 5 === 0) await a.flush();
      }
      stays();
      await vi.waitFor(() => expect(answered + refused).toBe(400));
      expect(answered).toBeGreaterThan(0);
    });
  });

  describe(`${name}: large messages`, () => {
    const large = (mark: string) => `${mark} ${'0123456789'.repeat(500_000)} ${mark}`;

    test('5 MB are sent through a group, and 5 MB are answered', async () => {
      const [a, b, c] = (await setUp(3)) as [Bus, Bus, Bus];
      for (const bus of [b, c]) bus.subscribe('calls', (message, answer) => answer(`${message} back`), { group: 'nodes' });
      await settle(b, c);
      const ask = (message: string) => new Promise<string>((answer) => a.ask('calls', message, { answer, noResponder: unexpected }));
      const answers = await Promise.all(['one', 'two', 'three', 'four'].map((mark) => ask(large(mark))));
      expect(answers.map((answer) => answer.length)).toEqual(['one', 'two', 'three', 'four'].map((mark) => large(mark).length + 5));
      expect(answers.every((answer, index) => answer === `${large(['one', 'two', 'three', 'four'][index]!)} back`)).toBe(true);
    });

    test('all receive a large message, in order with the small messages around it', async () => {
      const [a, b, c] = (await setUp(3)) as [Bus, Bus, Bus];
      const heard: string[][] = [[], [], []];
      b.subscribe('news', (message) => heard[0]?.push(message));
      c.subscribe('news', (message) => heard[1]?.push(message));
      c.subscribe('news', (message) => heard[2]?.push(message), { group: 'nodes' });
      await settle(b, c);
      const sent = ['a', large('b'), 'c', large('d'), 'e', 'f'];
      for (const message of sent) a.publish('news', message);
      for (const messages of heard) {
        await vi.waitFor(() => expect(messages).toHaveLength(sent.length));
        expect(messages.map((message) => message[0])).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
      }
    });

    test('answers of any size arrive in order', async () => {
      const [a, b] = (await setUp(2)) as [Bus, Bus];
      b.subscribe('calls', (_, answer) => ['a', large('b'), 'c', large('d'), 'e'].forEach(answer));
      await settle(b);
      const answers: string[] = [];
      a.ask('calls', 'call', { answer: (answer) => answers.push(answer), noResponder: unexpected });
      await vi.waitFor(() => expect(answers).toHaveLength(5));
      expect(answers.map((answer) => answer[0])).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    test('an answer in flight is received although its sender closes', async () => {
      const [a, b] = (await setUp(2)) as [Bus, Bus];
      let closed: Promise<void> | undefined;
      b.subscribe('calls', (_, answer) => {
        answer(large('last'));
        closed = b.close();
      });
      await settle(b);
      const answer = await new Promise<string>((resolve) => a.ask('calls', 'call', { answer: resolve, noResponder: unexpected }));
      expect(answer).toBe(large('last'));
      await closed;
    });

    test('a message above the limit throws at its sender', async () => {
      const [a] = (await setUp(1)) as [Bus];
      const message = 'x'.repeat(MAX_MESSAGE_CHARS + 1);
      expect(() => a.publish('news', message)).toThrow(/16777217 characters is above the limit of 16777216/);
      expect(() => a.ask('news', message, { answer: unexpected, noResponder: unexpected })).toThrow(/above the limit/);
    });
  });

  describe(`${name}: listeners`, () => {
    test('a stopped subscriber receives nothing more', async () => {
      const [a, b] = (await setUp(2)) as [Bus, Bus];
      const heard: string[] = [];
      const stop = b.subscribe('news', (message) => heard.push(message));
      b.subscribe('news', () => heard.push('the other'));
      await settle(b);
      a.publish('news', 'one');
      await settle(a, b);
      stop();
      stop();
      a.publish('news', 'two');
      await settle(a, b);
      expect(heard.sort()).toEqual(['one', 'the other', 'the other']);
    });

    test('a listener that throws is logged and does not affect other listeners or later messages', async () => {
      const logged = vi.fn();
      const [a, b] = (await setUp(2, { info() {}, warn() {}, error: logged })) as [Bus, Bus];
      const heard: string[] = [];
      const fail = () => {
        throw new Error('it broke');
      };
      b.subscribe('news', fail);
      b.subscribe('news', (message) => heard.push(message));
      b.subscribe('calls', (_, answer) => answer('yes'));
      await settle(b);
      a.publish('news', 'one');
      a.ask('calls', 'call', { answer: fail, noResponder: fail });
      a.ask('nowhere', 'call', { answer: fail, noResponder: fail });
      a.publish('news', 'two');
      await vi.waitFor(() => expect(logged).toHaveBeenCalledTimes(4));
      await settle(a, b);
      expect(heard).toEqual(['one', 'two']);
    });

    test('closed buses receive nothing, and a request finds no member', async () => {
      const [a, b] = (await setUp(2)) as [Bus, Bus];
      b.subscribe('news', unexpected);
      const heard: string[] = [];
      a.subscribe('news', (message) => heard.push(message));
      await settle(a, b);
      b.publish('news', 'the last');
      await Promise.all([b.close(), b.close()]);
      expect(b.connected).toBe(false);
      b.publish('news', 'unheard');
      b.subscribe('news', unexpected)();
      a.publish('news', 'hello');
      await new Promise<void>((resolve) => b.ask('news', 'call', { answer: unexpected, noResponder: resolve }));
      await expect(b.flush()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      await settle(a);
      expect(heard).toEqual(['the last', 'hello']);
    });

    test('after flush, other buses reach the subscriptions', async () => {
      const [a, b] = (await setUp(2)) as [Bus, Bus];
      for (let count = 0; count < 50; count++) {
        b.subscribe(`calls.${count}`, (_, answer) => answer('yes'), { group: 'nodes' });
        await b.flush();
        await new Promise<string>((answer) => a.ask(`calls.${count}`, 'call', { answer, noResponder: unexpected }));
      }
    });

    test.each(['', 'a b', 'a.', '.a', 'a..b', '*', '>', 'a.>', 'a.*', 'ä', 'a\r\nPUB b 0'])('%j is not a subject', async (subject) => {
      const [a] = (await setUp(1)) as [Bus];
      const refusal = expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining('is not a subject') });
      expect(() => a.publish(subject, '')).toThrow(refusal);
      expect(() => a.subscribe(subject, unexpected)).toThrow(refusal);
      expect(() => a.ask(subject, '', { answer: unexpected, noResponder: unexpected })).toThrow(refusal);
      expect(() => a.subscribe('a', unexpected, { group: 'a b' })).toThrow(/is not a group/);
    });
  });
}

/** Resolves when each of these buses has received all earlier messages of the others, except large messages. */
export async function settle(...buses: Bus[]): Promise<void> {
  for (const bus of [...buses, ...buses]) await bus.flush();
}

/** A bus logs what a listener throws: a failed expectation in one would go unseen. */
export function failOnError(): Logger {
  const errors: unknown[] = [];
  onTestFinished(() => expect(errors).toEqual([]));
  return { info() {}, warn() {}, error: (fields) => errors.push(fields) };
}

/** The contract of a bus with `failOnError`. */
export function unexpected(): never {
  return expect.unreachable('it was heard');
}
