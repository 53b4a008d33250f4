/** A program of `tasks.ts`, whose calls another part answers: a model that calls one action after the other, or the code interpreter of a provider. */

export interface ProgramCall {
  action: string;
  payload: object;
}

interface AskedCall extends ProgramCall {
  answer(data: unknown): void;
}

const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => (tools: unknown) => Promise<unknown>;

export class WrittenProgram {
  readonly result: Promise<unknown>;
  #asked: AskedCall[] = [];

  constructor(program: string) {
    this.result = new AsyncFunction('tools', program)(named((toolkit) => named((action) => this.#ask(`${toolkit}__${action}`))));
  }

  /** The calls that the program waits for. Empty: it has ended. */
  async waiting(): Promise<readonly ProgramCall[]> {
    // After the promises that are settled by now.
    await new Promise(setImmediate);
    return this.#asked;
  }

  /** Answers the first of the waiting calls, as many as there are results. */
  answer(results: readonly unknown[]): void {
    for (const [index, call] of this.#asked.splice(0, results.length).entries()) call.answer(results[index]);
  }

  #ask(action: string): (payload: object) => Promise<{ ok: true; data: unknown }> {
    return (payload) => new Promise((resolve) => this.#asked.push({ action, payload, answer: (data) => resolve({ ok: true, data }) }));
  }
}

function named<Value>(make: (name: string) => Value): Record<string, Value> {
  return new Proxy({}, { get: (_target, name) => make(String(name)) });
}
