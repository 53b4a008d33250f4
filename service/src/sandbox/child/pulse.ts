/**
 * Shared between a thread and the watchdog of its pool: which attempt computes there, and whether the engine still asks for interrupts. A native
 * loop, such as `String(new Array(1e9))`, never does.
 *
 * Shape: three 32-bit numbers: attempt or 0, beats (wraps around), MB of memory of all programs on the thread.
 */
export class Pulse {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(12)) {
    this.buffer = buffer;
    this.#cells = new Int32Array(buffer);
  }

  begin(attempt: number): void {
    Atomics.store(this.#cells, 0, attempt);
    this.beat();
  }

  beat(): void {
    Atomics.add(this.#cells, 1, 1);
  }

  end(): void {
    Atomics.store(this.#cells, 0, 0);
  }

  /** The attempt that computes now, or 0. */
  get attempt(): number {
    return Atomics.load(this.#cells, 0);
  }

  get beats(): number {
    return Atomics.load(this.#cells, 1);
  }

  get memoryMb(): number {
    return Atomics.load(this.#cells, 2);
  }

  set memoryMb(value: number) {
    Atomics.store(this.#cells, 2, value);
  }
}
