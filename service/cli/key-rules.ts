/** `svc-service keys rules`: shows, sets, clears and previews the rules of an agent key. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { KeyInfo, Keys, Rule } from 'svc-service';
import { parseWholeNumber } from '#sdk/cli/options';
import type { Terminal } from '#sdk/cli/terminal';
import { UsageError } from '#sdk/cli/usage-error';
import { MAX_PREVIEW_DAYS } from '#sdk/protocol/admin-constants';
import { textOfFile } from '#sdk/protocol/decode-text';
import { SvcError } from '#sdk/protocol/errors';
import { AdminClient } from './admin-client';
import { exampleTable, previewTable, ruleTable } from './rule-table';

export interface RulesFlags {
  set?: string;
  clear?: true;
  preview?: string | true;
  days?: number;
  url?: string;
}

export function addRulesCommand(keys: Command): Command {
  return keys
    .command('rules')
    .description('Show, set or take away the rules of an agent key: which of its calls run, ask a person, or are refused')
    .argument('<id>', 'key_…, from keys list')
    .addOption(new Option('--set <file>', 'the rules, as a JSON list; they replace all of the key').conflicts(['clear', 'preview']))
    .addOption(new Option('--clear', 'take all rules away').conflicts(['preview']))
    .addOption(
      new Option('--preview [file]', 'what these rules would have done to the calls of the key, or those that it has; needs --url'),
    )
    .addOption(
      new Option('--days <n>', `of --preview: the last days, at most ${MAX_PREVIEW_DAYS}`)
        .argParser(parseWholeNumber)
        .default(MAX_PREVIEW_DAYS),
    );
}

/** @throws UsageError for a file that is not JSON. The service checks the rules. */
export function readRulesFile(file: string): Rule[] {
  try {
    return JSON.parse(textOfFile(readFileSync(file), file));
  } catch (error) {
    throw new UsageError(`Cannot read the rules in ${file}: ${(error as Error).message}`);
  }
}

export async function runRules(terminal: Terminal, id: string, flags: RulesFlags, keys: Keys): Promise<void> {
  const { set, clear, preview } = flags;
  if (preview !== undefined) return previewRules(terminal, id, flags, keys);
  const key =
    set === undefined && !clear ? await requireKey(keys, id) : await keys.change(id, { rules: clear ? null : readRulesFile(set ?? '') });
  const { rules = [] } = key;
  terminal.showList(rules, ruleTable(rules), { whenEmpty: `${id} has no rules` });
}

async function previewRules(
  terminal: Terminal,
  id: string,
  { preview, days = MAX_PREVIEW_DAYS, url }: RulesFlags,
  keys: Keys,
): Promise<void> {
  if (url === undefined) throw new UsageError('--preview counts over the records of a running service: give its --url');
  const { rules: present = [] } = await requireKey(keys, id);
  const rules = typeof preview === 'string' ? readRulesFile(preview) : present;
  const found = await new AdminClient(url).previewRules({ rules, key: id, days });
  if (terminal.json) return terminal.printJson(found);
  const calls = found.isPart ? `The newest ${found.calls} calls` : `${found.calls} calls`;
  terminal.note(`${calls} of the last ${days === 1 ? 'day' : `${days} days`}`);
  terminal.showList(found, previewTable(rules, found), { whenEmpty: 'No call was counted' });
  if (found.examples.length === 0) return;
  terminal.print('');
  terminal.showList(found.examples, exampleTable(found.examples), { whenEmpty: '' });
}

async function requireKey(keys: Keys, id: string): Promise<KeyInfo> {
  const key = (await keys.list()).find((one) => one.id === id);
  if (!key) throw new SvcError('NOT_FOUND', `There is no key ${id}: list the keys to see their ids`);
  return key;
}
