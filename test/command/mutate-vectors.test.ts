/** `npm run vectors:mutate`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { MUTATIONS, type Mutation, mutate } from '../../scripts/mutations';
import { startProcess } from '../support/processes';

const SCRIPT = fileURLToPath(new URL('../../scripts/mutate-vectors.ts', import.meta.url));
const run = (...words: string[]) => startProcess(process.execPath, [SCRIPT, ...words]).ended;

describe('the script', () => {
  test('names the vector that catches each mistake', async () => {
    const { code, stdout, stderr } = await run('key in the URL');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^caught {2}the key in the URL {2,}agent-http\.json: /m);
    expect(stdout).toMatch(/^caught {2}the key in the URL of the socket {2,}Toolkit: /m);
    expect(stdout).toMatch(/^2 of 2 mistakes are caught$/m);
  }, 120_000);

  test('fails when no mutation has the word', async () => {
    expect(await run('no such mistake')).toMatchObject({ code: 1, stdout: expect.stringContaining('0 of 0') });
  }, 120_000);
});

describe('a mutation', () => {
  const mutation: Mutation = { name: 'no key', file: 'a.ts', before: 'send(key)', after: "send('$&')" };

  test('replaces its text, and reads no patterns in the new one', () => {
    expect(mutate(mutation, 'open(); send(key);')).toBe("open(); send('$&');");
  });

  test('fails for a source that has its text no more, or twice', () => {
    expect(() => mutate(mutation, 'open();')).toThrow('no key: a.ts has this text 0 times, not once: send(key)');
    expect(() => mutate(mutation, 'send(key); send(key);')).toThrow('2 times');
  });

  test.each(MUTATIONS)('$name: its text is in the source', (known) => {
    const source = readFileSync(fileURLToPath(new URL(`../../${known.file}`, import.meta.url)), 'utf8');
    expect(mutate(known, source)).not.toBe(source);
  });
});
