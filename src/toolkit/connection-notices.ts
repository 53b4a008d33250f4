/**
 * The output of a toolkit without `onStatus` is one line on stderr when it has had no connection for 3 s, and one when it has one again.
 * Without it a wrong address looks like a toolkit that nobody calls.
 */
import { printable } from '../protocol/invisible-text';
import type { StatusListener, ToolkitStatus } from './status';

/** Longer than a restart of the service takes a toolkit that is connected. */
const PATIENCE_MS = 3_000;

export function connectionNotices({ url, apiKey }: { url: string; apiKey: string }): StatusListener {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reason = `${url} has not answered yet`;
  let reported = false;

  const report = () => {
    reported = true;
    // A proxy's page may repeat the request, and has many lines.
    const said = reason.replaceAll(apiKey, '[key]').replace(/\s+/g, ' ');
    print(
      `The toolkit is not connected: ${said}. Start the service there, or set SVC_BASE_URL (baseUrl) to its address; it tries again by itself`,
    );
  };
  return (status: ToolkitStatus) => {
    if (status.state === 'disconnected') reason = status.reason.message;
    if (status.state === 'connecting' || status.state === 'disconnected') {
      if (!reported) timer ??= setTimeout(report, PATIENCE_MS);
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    if (reported && status.state === 'connected') print(`The toolkit is connected to ${url}`);
    reported = false;
    reason = `${url} has not answered yet`;
  };
}

function print(line: string): void {
  process.stderr.write(printable(`svc-sdk: ${line}\n`));
}
