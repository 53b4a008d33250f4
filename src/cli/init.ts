/** `svc-sdk init`: a toolkit project that runs. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { SvcError } from 'svc-sdk';
import { projectFiles } from './init/project-files';
import { shellWord } from './options';
import type { Terminal } from './terminal';

export function addInitCommand(program: Command, terminal: Terminal): void {
  program
    .command('init')
    .description('Write a toolkit project that runs: package.json, toolkit.mjs, README.md, .env.example, .gitignore')
    .argument('[dir]', 'folder, made when it is not there', '.')
    .addHelpText(
      'after',
      `
For example: svc-sdk init my-toolkit
A file that is there already is never overwritten.`,
    )
    .action((dir: string) => init(terminal, dir));
}

function init(terminal: Terminal, dir: string): void {
  const files = projectFiles(basename(resolve(dir)));
  const present = Object.keys(files).filter((name) => existsSync(join(dir, name)));
  if (present.length > 0) {
    const message = `${resolve(dir)} has ${present.join(', ')} already, and nothing is overwritten: name another folder, such as svc-sdk init my-toolkit`;
    throw new SvcError('CONFLICT', message);
  }
  mkdirSync(dir, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text, { flag: 'wx' });
  terminal.show({ folder: resolve(dir), files: Object.keys(files) }, `${resolve(dir)} is a toolkit project now.\n\n${nextSteps(dir)}`);
}

function nextSteps(dir: string): string {
  const enter = resolve(dir) === process.cwd() ? '' : `cd ${shellWord(dir)}\n`;
  return `Next:

${enter}npm install
npm run dev                  # in a terminal of its own: a service, and its keys
source .svc/env              # the address and the keys that it wrote
npm start                    # serves the toolkit

README.md there has the rest.`;
}
