/** The parameters of a Telegram method: query, JSON or `multipart/form-data`, in which files are named by `attach://<part>`. */
import type { FakeRequest } from '../fake-server';

export type Payload = Record<string, unknown>;

export function readPayload({ body, query, headers }: FakeRequest): Payload {
  const type = headers['content-type'] ?? '';
  const boundary = /boundary=(?:"([^"]+)"|([^;]+))/.exec(type);
  const payload = boundary ? readParts(body, `--${boundary[1] ?? boundary[2]}`) : body.length > 0 ? JSON.parse(body.toString()) : {};
  return { ...Object.fromEntries(query), ...payload };
}

/** Texts that are JSON are parsed, as Telegram does; the contents of a file are bytes. */
function readParts(body: Buffer, delimiter: string): Payload {
  const parts = new Map<string, { value: Buffer; isFile: boolean }>();
  for (const part of body.toString('latin1').split(delimiter).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end);
    const name = /name="([^"]*)"/.exec(head)?.[1] ?? '';
    parts.set(name, { value: Buffer.from(part.slice(end + 4, -2), 'latin1'), isFile: head.includes('filename=') });
  }
  return Object.fromEntries(
    [...parts].map(([name, { value, isFile }]) => {
      const attached = parts.get(/^attach:\/\/(.+)$/.exec(value.toString())?.[1] ?? '');
      return [name, attached?.value ?? (isFile ? value : parseText(value.toString()))];
    }),
  );
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
