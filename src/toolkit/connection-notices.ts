/**
 * The output of a toolkit without `onStatus`: a line on stderr after 3 s without a connection, and a line when the connection is restored.
 * Without this output, a wrong address would look like a toolkit without calls.
 */
import { printable } from '../protocol/invisible-text';
import type { StatusListener, ToolkitStatus } from './status';

/** Longer than the outage of a connected toolkit during a restart of the service. */
const PATIENCE_MS = 3_000;

export function connectionNotices({ url, apiKey }: { url: string; apiKey: string }): StatusListener {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reason = `${url} has not answered yet`;
  let reported = false;

  const report = () => {
    reported = true;
    // The page of a proxy may contain the request's key and many lines.
    const said = reason.replaceAll(apiKey, '[key]').replace(/\s+/g, ' ');
    print(
      `The toolkit is not connected: ${said}. Start the service there, or set SVC_BASE_URL (baseUrl) to its address; the toolkit keeps trying`,
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
