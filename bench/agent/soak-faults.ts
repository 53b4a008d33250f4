/**
 * Faults of the three platforms, drawn at random.
 *
 * Shape:  the next fault of a platform comes after a request that succeeded. Clients wait longer after each failure, so faults at a fixed rate would
 *         pile up. None of them loses a message by the rules of its platform, except the end of Discord's session: `soak.ts` makes room for it.
 * Units:  milliseconds.
 */
import type { FakeDiscord, FakeFault, FakePlatform } from 'svc-sdk/agent/testing';
import { pickWeighted } from '../common/random.ts';

export interface SoakPlatforms {
  telegram: FakePlatform;
  discord: FakeDiscord;
  x: FakePlatform;
}

interface FaultKind {
  name: string;
  weight: number;
  platforms: readonly (keyof SoakPlatforms)[];
  draw(below: (limit: number) => number): FakeFault;
}

const ALL = ['telegram', 'discord', 'x'] as const;
const SERVER_ERRORS = [500, 502, 503];
/** Discord keeps the session after these. */
const CLOSE_CODES = [1006, 4000, 4003, 4008];
/** The client waits 35 s after this answer, so it is rare. */
const CONFLICT: FakeFault = { on: 'getUpdates', status: 409 };

export interface SoakFaultOptions {
  platforms: SoakPlatforms;
  random: () => number;
  /** The longest that a connection is held open without an answer. */
  maxHangMs: number;
}

export class SoakFaults {
  /** The number of each kind. */
  readonly counts: Record<string, number> = {};
  readonly #platforms: SoakPlatforms;
  readonly #random: () => number;
  readonly #kinds: readonly FaultKind[];
  /** Counts of each platform at its last fault. */
  readonly #seen = { telegram: { requests: 0 }, x: { requests: 0 }, discord: { requests: 0, heartbeats: 0 } };

  constructor({ platforms, random, maxHangMs }: SoakFaultOptions) {
    this.#platforms = platforms;
    this.#random = random;
    this.#kinds = [
      { name: '429', weight: 6, platforms: ALL, draw: () => ({ status: 429, retryAfter: 1 }) },
      { name: '5xx', weight: 6, platforms: ALL, draw: (below) => ({ status: SERVER_ERRORS[below(SERVER_ERRORS.length)] as number }) },
      { name: 'cut', weight: 4, platforms: ALL, draw: () => ({ cut: true }) },
      { name: 'cut after the effect', weight: 4, platforms: ALL, draw: () => ({ cut: true, done: true }) },
      { name: 'half open', weight: 2, platforms: ALL, draw: (below) => ({ hangMs: below(maxHangMs), cut: true, done: below(2) === 0 }) },
      { name: 'close', weight: 3, platforms: ['discord'], draw: (below) => ({ close: CLOSE_CODES[below(CLOSE_CODES.length)] as number }) },
      { name: 'reconnect (op 7)', weight: 1, platforms: ['discord'], draw: () => ({ op: 7 }) },
      { name: 'invalid session, may resume (op 9)', weight: 1, platforms: ['discord'], draw: () => ({ op: 9, done: true }) },
      { name: 'silent gateway', weight: 1, platforms: ['discord'], draw: () => ({ silent: true }) },
    ];
  }

  inject(): void {
    const below = (limit: number) => Math.floor(this.#random() * limit);
    const kind = pickWeighted(this.#kinds, ({ weight }) => weight, this.#random);
    const platform = kind?.platforms[below(kind.platforms.length)];
    if (kind && platform && this.#hasRecovered(platform)) this.#add(platform, kind.name, kind.draw(below));
  }

  /** Another poller took Telegram's updates. */
  injectConflict(): void {
    this.#add('telegram', '409', CONFLICT);
  }

  /** Discord ends the session, in one of two ways. */
  injectSessionEnd(): void {
    this.#add('discord', 'session ended', this.#random() < 0.5 ? { close: 4009 } : { op: 9 });
  }

  #hasRecovered(platform: keyof SoakPlatforms): boolean {
    // Discord's gateway is connected again after a heartbeat.
    if (platform === 'discord' && this.#platforms.discord.heartbeats === this.#seen.discord.heartbeats) return false;
    const since = this.#platforms[platform].requests.slice(this.#seen[platform].requests);
    return since.some(({ path, status }) => status >= 200 && status < 300 && !path.endsWith('/gateway/bot'));
  }

  #add(platform: keyof SoakPlatforms, name: string, fault: FakeFault): void {
    this.#platforms[platform].fault(fault);
    this.#seen[platform].requests = this.#platforms[platform].requests.length;
    if (platform === 'discord') this.#seen.discord.heartbeats = this.#platforms.discord.heartbeats;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}
