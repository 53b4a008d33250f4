/**
 * All processes of a command: `npx` starts `sh`, which starts the server, and a signal to the first process reaches no other.
 *
 * Shape: a process group, whose id is the process id of its first process.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** A server may need to write data before it exits. */
const AFTER_EOF_MS = 1_500;
const AFTER_TERM_MS = 1_000;
const AFTER_KILL_MS = 1_000;
const CHECK_EVERY_MS = 20;

/** Waits for the group after its stdin was closed, then sends SIGTERM, then SIGKILL. */
export async function endProcessGroup(groupId: number): Promise<void> {
  if (await endsWithin(groupId, AFTER_EOF_MS)) return;
  signalGroup(groupId, 'SIGTERM');
  if (await endsWithin(groupId, AFTER_TERM_MS)) return;
  signalGroup(groupId, 'SIGKILL');
  // A killed process whose parent does not wait for it stays listed forever, so this wait has a timeout too.
  await endsWithin(groupId, AFTER_KILL_MS);
}

async function endsWithin(groupId: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (signalGroup(groupId, 0)) {
    if (performance.now() > deadline) return false;
    await sleep(CHECK_EVERY_MS);
  }
  return true;
}

/** False if no process of the group is left. */
function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    // EPERM: a process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
