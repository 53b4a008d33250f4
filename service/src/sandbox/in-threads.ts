/** Programs in threads of this process: their engine still confines them, and no permissions of Node stand behind it. */
import { ThreadPool } from './child/thread-pool';
import type { OpenPlace } from './code-runner';
import type { EngineFiles } from './engine';
import { poolOptions } from './program-place';

export function inThreads(engine: EngineFiles): OpenPlace {
  return (onMessage) => {
    const pool = new ThreadPool(poolOptions(engine, []), onMessage);
    return { post: (message) => pool.receive(message), close: () => pool.close() };
  };
}
