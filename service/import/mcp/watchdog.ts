/**
 * Ends process groups whose parent has exited, also after SIGKILL: a shell reads the groups' ids from a pipe, and ends the groups when the pipe
 * closes. One for all servers of this process.
 */
import { type ChildProcess, spawn } from 'node:child_process';

/** `+ <id>` and `- <id>` on stdin. A shell needs 1 MB, a second Node 40. */
const SCRIPT = `
groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) kept=
       for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done
       groups=$kept ;;
  esac
done
[ -n "$groups" ] || exit 0
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
sleep 1
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`;

const groups = new Set<number>();
let shell: ChildProcess | undefined;

export function watchGroup(groupId: number): void {
  groups.add(groupId);
  if (shell) shell.stdin?.write(`+ ${groupId}\n`);
  else shell = startShell();
}

export function unwatchGroup(groupId: number): void {
  groups.delete(groupId);
  shell?.stdin?.write(`- ${groupId}\n`);
  if (groups.size > 0) return;
  shell?.stdin?.end();
  shell = undefined;
}

function startShell(): ChildProcess {
  const started = spawn('sh', ['-c', SCRIPT], {
    detached: true,
    cwd: '/',
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const forget = () => {
    if (shell === started) shell = undefined;
  };
  // A system without `sh` has no process groups either.
  started.on('error', forget).on('exit', forget);
  started.stdin.on('error', forget);
  for (const groupId of groups) started.stdin.write(`+ ${groupId}\n`);
  // The watchdog ends with this process, and must not keep it alive.
  started.unref();
  (started.stdin as unknown as { unref(): void }).unref();
  return started;
}
