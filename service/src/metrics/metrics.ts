/**
 * The counters and histograms for Prometheus, in a registry of their own. docs/operations.md has a table of all of it.
 *
 * Units:  callers hand over milliseconds; Prometheus reads seconds.
 * Labels: bounded: toolkits beyond `MAX_TOOLKITS` count as `other`, and nothing that a caller writes is a label.
 */
import { Counter, Gauge, Registry } from 'prom-client';
import type { Bus } from '../bus/bus';
import type { CallObserver } from '../calls/call-observer';
import type { Hub, HubActivity } from '../hub/hub';
import { processMetrics } from './process-metrics';
import { Timings } from './timings';

const MAX_TOOLKITS = 200;
const OTHER = 'other';
/** The label of a call that was refused before its action was found. */
const NONE = 'none';

const CALL_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const STEP_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

export class Metrics {
  readonly #registry = new Registry();
  readonly #toolkits = new Set<string>();

  readonly #calls = new Timings({
    name: 'svc_call_duration_seconds',
    help: 'Calls of agents, from the request to its answer, by toolkit and outcome (OK or an error code)',
    labelNames: ['toolkit', 'code'],
    buckets: CALL_BUCKETS,
    registry: this.#registry,
  });
  readonly #searches = new Timings({
    name: 'svc_search_duration_seconds',
    help: 'Searches that were answered',
    labelNames: [],
    buckets: STEP_BUCKETS,
    registry: this.#registry,
  });
  readonly #requests = new Counter({
    name: 'svc_http_requests_total',
    help: 'HTTP requests, by route and status; 0 is a caller that left before the answer',
    labelNames: ['route', 'status'],
    registers: [this.#registry],
  });
  readonly #rateLimited = new Counter({
    name: 'svc_rate_limited_total',
    help: 'Requests above the calls per minute of their key',
    registers: [this.#registry],
  });
  readonly #store = new Timings({
    name: 'svc_store_duration_seconds',
    help: 'Operations of the database, by operation, until they resolved or failed',
    labelNames: ['operation', 'failed'],
    buckets: STEP_BUCKETS,
    registry: this.#registry,
  });
  readonly #asks = new Timings({
    name: 'svc_bus_ask_duration_seconds',
    help: 'Requests over the bus until the first answer, or until the notice that there is no subscriber',
    labelNames: ['answered'],
    buckets: STEP_BUCKETS,
    registry: this.#registry,
  });
  readonly #busLosses = new Counter({
    name: 'svc_bus_connection_losses_total',
    help: 'How often the connection to the bus was lost',
    registers: [this.#registry],
  });

  readonly callObserver: CallObserver = {
    requestEnded: ({ accepted }, code, ms) => this.#calls.observe(ms, accepted ? this.#bounded(accepted.toolkitId) : NONE, code),
  };

  searched(ms: number): void {
    this.#searches.observe(ms);
  }

  requestEnded(route: string, status: number): void {
    this.#requests.inc({ route, status });
  }

  rateLimited(): void {
    this.#rateLimited.inc();
  }

  storeAnswered(operation: string, failed: boolean, ms: number): void {
    this.#store.observe(ms, operation, failed ? 'true' : 'false');
  }

  busAnswered(answered: boolean, ms: number): void {
    this.#asks.observe(ms, answered ? 'true' : 'false');
  }

  busLost(): void {
    this.#busLosses.inc();
  }

  /** Called for each request of the metrics, and at no other time. */
  watchHub(hub: Pick<Hub, 'activity'>): void {
    const gauge = (name: string, help: string, read: (activity: HubActivity) => number) =>
      this.#gauge(name, help, () => read(hub.activity()));
    gauge('svc_toolkit_sockets', 'Open sockets of toolkits', ({ sockets }) => sockets);
    gauge('svc_toolkits_online', 'Toolkits with at least one socket', ({ onlineToolkits }) => onlineToolkits);
    gauge('svc_calls_running', 'Calls that a handler has', ({ running }) => running);
    gauge('svc_calls_queued', 'Calls that wait for a free process of their toolkit', ({ queued }) => queued);
    this.#total('svc_toolkit_drains_total', 'Processes of toolkits that refused new calls', () => hub.activity().drains);
  }

  watchReadiness(readiness: { readonly reasons: readonly string[] }): void {
    this.#gauge('svc_ready', 'Whether new calls should be sent to this node: 1 or 0', () => Number(readiness.reasons.length === 0));
  }

  watchEventLoop(watchdog: { readonly activity: { blocks: number; blockedMs: number } }): void {
    this.#total(
      'svc_event_loop_blocks_total',
      'Times that the event loop was blocked for more than a second',
      () => watchdog.activity.blocks,
    );
    this.#total('svc_event_loop_blocked_seconds_total', 'Their seconds together', () => watchdog.activity.blockedMs / 1_000);
  }

  watchBus(bus: Pick<Bus, 'connected'>): void {
    this.#gauge('svc_bus_connected', 'Whether the bus can be reached: 1 or 0', () => Number(bus.connected));
  }

  /** Prometheus text format 0.0.4. */
  async text(): Promise<string> {
    return `${await this.#registry.metrics()}${await processMetrics().metrics()}`;
  }

  #gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect: () => gauge.set(read()) });
  }

  #total(name: string, help: string, read: () => number): void {
    const collect = () => {
      counter.reset();
      counter.inc(read());
    };
    const counter: Counter = new Counter({ name, help, registers: [this.#registry], collect });
  }

  #bounded(toolkitId: string): string {
    if (this.#toolkits.has(toolkitId)) return toolkitId;
    if (this.#toolkits.size >= MAX_TOOLKITS) return OTHER;
    this.#toolkits.add(toolkitId);
    return toolkitId;
  }
}
