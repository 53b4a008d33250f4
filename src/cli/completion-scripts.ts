/** Completion scripts for bash, zsh and fish, from a list of commands. Where nothing is known the shell completes files. */

export interface CompletedCommand {
  /** Its words, such as `keys create`; empty for the program. */
  path: string;
  commands: { name: string; description: string }[];
  options: { name: string; description: string; choices?: readonly string[] }[];
  /** Values of its arguments. */
  choices: readonly string[];
}

export type Shell = keyof typeof WRITERS;

const WRITERS = { bash, zsh, fish };

export const SHELLS = Object.keys(WRITERS) as Shell[];

/** @param name of the program */
export function scriptFor(shell: Shell, name: string, commands: readonly CompletedCommand[]): string {
  return WRITERS[shell](name, commands);
}

function bash(name: string, commands: readonly CompletedCommand[]): string {
  return `${functionOf(name)}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at= words= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${paths(commands)}) at="$at $word" ;;
    esac
  done
  case "$at $previous" in
${optionValues(commands)
  .map(([pattern, words]) => `    ${pattern}) words="${words}" ;;`)
  .join('\n')}
    *) case "$at" in
${commands.map((command) => `      ${pathPattern(command)}) words="${wordsOf(command)}" ;;`).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F ${functionOf(name)} ${name}
`;
}

/** \`path\` is another name of PATH in zsh. */
function zsh(name: string, commands: readonly CompletedCommand[]): string {
  return `#compdef ${name}
${functionOf(name)}() {
  local at= i
  for (( i = 2; i < CURRENT; i++ )); do
    case "$at $words[i]" in
      (${paths(commands)}) at="$at $words[i]" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${optionValues(commands)
  .map(([pattern, words]) => `    (${pattern}) compadd -- ${words}; return ;;`)
  .join('\n')}
  esac
  case "$at" in
${commands.map((command) => `    (${pathPattern(command)}) compadd -- ${wordsOf(command)} ;;`).join('\n')}
  esac
  _files
}
compdef ${functionOf(name)} ${name}
`;
}

function fish(name: string, commands: readonly CompletedCommand[]): string {
  const groups = commands.filter(({ path, commands: below }) => path !== '' && below.length > 0);
  const lines = commands.flatMap((command) => {
    const when = fishCondition(command, groups);
    return [
      ...command.commands.map((sub) => `complete -c ${name} -n ${when} -a ${sub.name} -d ${quoted(sub.description)}`),
      ...(command.choices.length > 0 ? [`complete -c ${name} -n ${when} -a ${quoted(command.choices.join(' '))}`] : []),
      ...command.options
        .filter((option) => option.name.startsWith('--'))
        .map((option) => {
          const values = option.choices ? ` -x -a ${quoted(option.choices.join(' '))}` : '';
          return `complete -c ${name} -n ${when} -l ${option.name.slice(2)}${values} -d ${quoted(option.description)}`;
        }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** The name of a shell's function. */
function functionOf(name: string): string {
  return `_${name.replaceAll('-', '_')}`;
}

/** Words of a path that were typed, and none of what would lead elsewhere. */
function fishCondition({ path, commands }: CompletedCommand, groups: readonly CompletedCommand[]): string {
  if (path === '') return '__fish_use_subcommand';
  const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const others = path.includes(' ') ? [] : groups.map((group) => group.path).filter((other) => other !== path);
  const unseen = [...commands.map(({ name }) => name), ...others];
  return quoted([...seen, ...(unseen.length > 0 ? [`not __fish_seen_subcommand_from ${unseen.join(' ')}`] : [])].join('; and '));
}

function wordsOf({ commands, options, choices }: CompletedCommand): string {
  return [...commands.map(({ name }) => name), ...choices, ...options.map(({ name }) => name)].join(' ');
}

function paths(commands: readonly CompletedCommand[]): string {
  return commands
    .filter(({ path }) => path !== '')
    .map(pathPattern)
    .join('|');
}

function pathPattern({ path }: CompletedCommand): string {
  return path === '' ? "''" : `' ${path}'`;
}

/** The words before the cursor, and the values that may follow. */
function optionValues(commands: readonly CompletedCommand[]): [pattern: string, words: string][] {
  return commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices !== undefined)
      .map(({ name, choices = [] }): [string, string] => [`' ${path} ${name}'`, choices.join(' ')]),
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
