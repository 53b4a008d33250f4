/** The package that has a command: `svc-sdk` where a key is enough, `svc-service` for what serves, imports or looks after a service. */
import { UsageError } from './usage-error';

export type CommandPackage = 'svc-sdk' | 'svc-service';

/** First words of commands. */
const WORDS: Record<CommandPackage, readonly string[]> = {
  'svc-sdk': ['init', 'search', 'invoke', 'explain', 'actions', 'approvals'],
  'svc-service': [
    'demo',
    'serve',
    'run',
    'dev',
    'keys',
    'people',
    'evidence',
    'backup',
    'export',
    'import',
    'migrate',
    'lint',
    'add',
    'logs',
    'ledger',
    'connections',
    'alerts',
  ],
};
/** Both have `toolkits`, which reads the service or toolkits.yaml. */
const TOOLKITS: Record<string, CommandPackage> = { list: 'svc-sdk', check: 'svc-service', update: 'svc-service', approve: 'svc-service' };

/** Undefined for a command of both packages, such as `version`, and for an unknown word. */
export function packageOf(argv: readonly string[]): CommandPackage | undefined {
  const [word = '', second = ''] = commandWords(argv);
  if (word === 'toolkits') return TOOLKITS[second];
  return WORDS['svc-sdk'].includes(word) ? 'svc-sdk' : WORDS['svc-service'].includes(word) ? 'svc-service' : undefined;
}

/** Throws UsageError with the package that has the command. The error repeats no argument, which may be a secret. */
export function refuseOtherPackage(program: CommandPackage, argv: readonly string[]): void {
  const other = packageOf(argv);
  if (other === undefined || other === program) return;
  const [word = '', second = ''] = commandWords(argv);
  const command = word === 'toolkits' ? `${word} ${second}` : word;
  throw new UsageError(`"${command}" is a command of the package ${other}; run: npx ${other} ${command}`);
}

/** The words from the command on: options before it and the `help` of `help serve` are left out. */
function commandWords(argv: readonly string[]): readonly string[] {
  const words = argv.slice(argv.findIndex((word) => !word.startsWith('-')));
  return words[0] === 'help' ? words.slice(1) : words;
}
