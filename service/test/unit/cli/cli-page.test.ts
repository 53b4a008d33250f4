import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SDK_CLI } from '#sdk/cli/commands';
import type { Cli } from '#sdk/cli/run-cli';
import { textWidth } from '#sdk/cli/text-width';
import { runInProcess } from '../../../../test/support/command-in-process';
import { readPage } from '../../../../test/support/markdown';
import { SERVICE_CLI } from '../../../cli/commands';

const PAGE = fileURLToPath(new URL('../../../../docs/cli.md', import.meta.url));
const GENERATED = /(?<=<!-- commands -->\n)[\s\S]*(?=<!-- \/commands -->)/;

test('docs/cli.md holds the help of every command; "npx vitest run service/test/unit/cli/cli-page.test.ts -u" writes it', async () => {
  const sections = (await helpOfBoth()).map(({ path, help }) => `### ${path.join(' ')}\n\n\`\`\`text\n${help}\n\`\`\`\n`);
  expect(sections.length).toBeGreaterThan(25);
  await expect(readPage('docs/cli.md').replace(GENERATED, () => sections.join('\n'))).toMatchFileSnapshot(PAGE);
});

test('the help of every command fits a window of 80 columns, the width of a pipe too', async () => {
  const wide = (await helpOfBoth()).flatMap(({ help }) => help.split('\n').filter((line) => textWidth(line) > 80));
  expect(wide).toEqual([]);
});

interface CommandHelp {
  /** The words of the command, its program first. */
  path: string[];
  help: string;
}

async function helpOfBoth(): Promise<CommandHelp[]> {
  return (await Promise.all([SDK_CLI, SERVICE_CLI].map((cli) => helpOf(cli, [])))).flat();
}

/** The help of a command and of all its subcommands. */
async function helpOf(cli: Cli, path: string[]): Promise<CommandHelp[]> {
  const help = (await runInProcess([...path, '--help'], { cli })).stdout.trim();
  const [, list = ''] = /^Commands:\n([\s\S]*)/m.exec(help) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  const below = await Promise.all(names.map((name) => helpOf(cli, [...path, name])));
  return [{ path: [cli.name, ...path], help }, ...below.flat()];
}
