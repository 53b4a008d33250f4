/**
 * An agent in a separate process, with a client of each platform. Reads its options from the environment: `SVC_BASE_URL`, `SVC_AGENT_API_KEY`,
 * `SVC_MODEL`, `OPENAI_BASE_URL`, `OPENAI_API_KEY`, `AGENT_STORE`, and `AGENT_CLIENTS`, the options of the clients as JSON. Prints `3 started` once
 * all receive messages, ends at SIGTERM, and then prints the delay of its event loop: `event loop {"p50Ms":…,"p99Ms":…}`.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Agent } from 'svc-sdk/agent';
import { DiscordClient } from 'svc-sdk/agent/discord';
import { TelegramClient } from 'svc-sdk/agent/telegram';
import { XClient } from 'svc-sdk/agent/x';

const NS_PER_MS = 1_000_000;
/** The pause between two polls for mentions. */
const X_POLL_SECONDS = 0.1;

const { AGENT_STORE, AGENT_CLIENTS = '{}' } = process.env;
const { telegram, discord, x } = JSON.parse(AGENT_CLIENTS);
const delay = monitorEventLoopDelay();
delay.enable();
let started = 0;

const agent = new Agent({
  store: AGENT_STORE,
  clients: [new TelegramClient(telegram), new DiscordClient(discord), new XClient({ ...x, pollSeconds: X_POLL_SECONDS })],
  onEvent: (event) => {
    if (event.type === 'client-state' && event.state === 'started') console.log(`${++started} started`);
    if ('error' in event && event.error) console.error(event.type, event.error.message);
  },
});
await agent.run();
const msOf = (percentile: number) => Number((delay.percentile(percentile) / NS_PER_MS).toFixed(1));
console.log(`event loop ${JSON.stringify({ p50Ms: msOf(50), p99Ms: msOf(99) })}`);
