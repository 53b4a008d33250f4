/** Answers 429 and 503 to requests of the model, drawn at random. A request is refused at most twice: the agent tries three times. */
import { RequestError } from '../../service/scripted-model/wire.ts';

const STATUSES = [429, 503];
const MOST_REFUSALS = 2;

export interface ModelFaults {
  readonly count: number;
  /** @throws RequestError for a request that is to fail */
  check(body: string): void;
  stop(): void;
}

export function failAtRandom(share: number, random: () => number): ModelFaults {
  const refusals = new Map<string, number>();
  let count = 0;
  let isOver = false;
  return {
    get count() {
      return count;
    },
    check(body) {
      const refused = refusals.get(body) ?? 0;
      if (isOver || refused === MOST_REFUSALS || random() >= share) return void refusals.delete(body);
      refusals.set(body, refused + 1);
      count += 1;
      throw new RequestError(STATUSES[count % STATUSES.length] as number, 'Come back later');
    },
    stop() {
      isOver = true;
    },
  };
}
