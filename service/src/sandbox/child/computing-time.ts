/**
 * Processor time of this thread that one program has used, in milliseconds. Time of other processes does not count, where Node can tell it
 * apart (24 and later).
 */
const cpuNow: () => number =
  typeof process.threadCpuUsage === 'function'
    ? () => {
        const { user, system } = process.threadCpuUsage();
        return (user + system) / 1_000;
      }
    : () => performance.now();

export class ComputingTime {
  #usedMs = 0;
  #since: number | undefined;

  resume(): void {
    this.#since = cpuNow();
  }

  pause(): void {
    this.#usedMs = this.usedMs;
    this.#since = undefined;
  }

  get usedMs(): number {
    return this.#since === undefined ? this.#usedMs : this.#usedMs + cpuNow() - this.#since;
  }
}
