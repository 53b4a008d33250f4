/** Permanent refusals, with the remedy. */

const PORTAL = 'https://discord.com/developers/applications';

const CLOSE_CODES: Record<number, string> = {
  4004: `the bot token: copy a new one from ${PORTAL}, page Bot, Reset Token, and set botToken`,
  4010: 'the shard: update svc-sdk',
  4011: 'one connection for a bot in so many servers: this client has no shards; take the bot out of servers, or use a bot for each group of them',
  4012: 'version 10 of its gateway: update svc-sdk',
  4013: 'the intents: update svc-sdk',
  4014: `the intents of messages: look at the page Bot of ${PORTAL} for what the application is not allowed, or make a new one`,
};

/** The error for a close code after which a reconnect cannot succeed. */
export function refusalOf(code: number, clientId: string): Error | undefined {
  const what = CLOSE_CODES[code];
  return what === undefined ? undefined : new Error(`${clientId}: Discord refuses ${what} (close code ${code})`);
}

export function tokenRefusal(clientId: string): Error {
  return new Error(`${clientId}: Discord refuses ${CLOSE_CODES[4004]} (status 401)`);
}
