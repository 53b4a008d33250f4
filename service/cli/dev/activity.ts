/** Prints a line for each toolkit that connects or disconnects, and for each call: the service's log, for people. */
import type { Logger } from 'svc-service';
import { oneLine, type Parts, styled } from '#sdk/cli/line';
import { redactor } from '#sdk/cli/redact';
import type { Terminal } from '#sdk/cli/terminal';

export function activityLog(terminal: Terminal): Logger {
  const redact = redactor(process.env);
  const problem = (fields: object, message: string) => terminal.note(oneLine(redact(`${message} ${problemText(fields)}`.trimEnd())));
  return {
    isLevelEnabled: () => true,
    info(fields, message) {
      const event = eventOf(fields as Fields, message);
      if (event) terminal.showEvent({ time: new Date().toISOString(), ...event.json }, [clock(), '  ', ...event.parts]);
    },
    warn: problem,
    error: problem,
  };
}

interface Fields {
  toolkit?: string;
  invocation?: string;
  action?: string;
  code?: string;
  ms?: number;
}

interface Event {
  json: object;
  parts: Parts;
}

function eventOf({ toolkit, invocation, action, code = 'OK', ms = 0 }: Fields, message: string): Event | undefined {
  switch (message) {
    case 'toolkit connected':
      return { json: { event: 'toolkit-connected', toolkit }, parts: [`toolkit ${toolkit} connected`] };
    case 'toolkit disconnected':
      return { json: { event: 'toolkit-disconnected', toolkit }, parts: [`toolkit ${toolkit} disconnected`] };
    case 'call':
      return {
        json: { event: 'call', invocation, action, code, ms },
        parts: [`${oneLine(action ?? 'a call')}  `, styled(code === 'OK' ? 'green' : 'red', code), `  ${ms} ms`],
      };
    default:
      return undefined;
  }
}

function clock() {
  return styled('dim', new Date().toTimeString().slice(0, 8));
}

function problemText(fields: object): string {
  const { error, ...rest } = fields as { error?: unknown };
  const said = error instanceof Error ? error.message : error === undefined ? '' : String(error);
  return [said, Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)].filter((text) => text !== '').join(' ');
}
