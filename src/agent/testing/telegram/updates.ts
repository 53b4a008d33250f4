/**
 * The stored updates of a bot, which are deleted only when a higher offset confirms them.
 *
 * Errors: TelegramRefusal 409 for the older of two polls.
 * Source: https://core.telegram.org/bots/api#getupdates
 */
import { TelegramRefusal } from './refusal';

export interface Update {
  update_id: number;
  [kind: string]: unknown;
}

interface Poll {
  end(error?: Error): void;
}

export class Updates {
  #kept: Update[] = [];
  #nextId = 100_001;
  #poll: Poll | undefined;

  push(update: Record<string, unknown>): void {
    this.#kept.push({ update_id: this.#nextId++, ...update });
    this.#poll?.end();
  }

  async get(
    { offset = 0, limit = 100, timeout = 0, allowed }: { offset?: number; limit?: number; timeout?: number; allowed?: string[] },
    signal: AbortSignal,
  ): Promise<Update[]> {
    this.#poll?.end(
      new TelegramRefusal(409, 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running'),
    );
    this.#kept = this.#kept.filter((update) => update.update_id >= offset && (!allowed?.length || allowed.some((kind) => kind in update)));
    if (this.#kept.length === 0 && timeout > 0) await this.#wait(timeout, signal);
    return this.#kept.slice(0, limit);
  }

  #wait(seconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const poll = {
        end: (error?: Error) => {
          if (this.#poll === poll) this.#poll = undefined;
          clearTimeout(timer);
          signal.removeEventListener('abort', ended);
          if (error) reject(error);
          else resolve();
        },
      };
      const ended = () => poll.end();
      const timer = setTimeout(ended, seconds * 1000);
      signal.addEventListener('abort', ended);
      this.#poll = poll;
    });
  }
}
