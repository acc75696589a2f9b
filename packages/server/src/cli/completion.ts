import { dialects } from '@dragoman/core';
import type { Command, Option } from 'commander';
import { clients } from './connect/clients.ts';

/** Shells and what each runs at its start: it asks us for what may follow the words so far, and offers files where that is nothing. */
const scripts: ReadonlyMap<string, string> = new Map([
  [
    'bash',
    `_dragoman() {
  local IFS=$'\\n'
  COMPREPLY=($(dragoman complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _dragoman dragoman
`,
  ],
  [
    'zsh',
    `#compdef dragoman
_dragoman() {
  local -a found
  found=("\${(@f)$(dragoman complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _dragoman dragoman
`,
  ],
  [
    'fish',
    `function _dragoman
  set -l found (dragoman complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c dragoman -f -a '(_dragoman)'
`,
  ],
  [
    'powershell',
    `Register-ArgumentCompleter -Native -CommandName dragoman -ScriptBlock {
  param($word, $line, $position)
  $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -eq '') { $words += ' ' }
  dragoman complete -- @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
  ],
]);

export const shells = [...scripts.keys()];

/** What a shell runs so that TAB completes our commands; undefined for one that we do not know. */
export function completionScript(shell: string): string | undefined {
  return scripts.get(shell);
}

/** What the words after a command may be, where only we know. */
const values: ReadonlyMap<string, () => readonly string[]> = new Map([
  ['connect', () => [...clients.keys()]],
  ['launch', () => [...clients.values()].flatMap(({ id, launch }) => (launch === undefined ? [] : [id]))],
  ['dialects', () => [...dialects.keys()]],
  ['completion', () => shells],
]);

/** What may be where the last word is begun, given the words before it. Nothing: a name that the user thinks of, or a file. */
export function complete(root: Command, words: readonly string[]): readonly string[] {
  const begun = words.at(-1)?.trim() ?? '';
  return possible(root, { before: words.slice(0, -1), begun }).filter((each) => each.startsWith(begun));
}

function possible(
  root: Command,
  { before, begun }: { readonly before: readonly string[]; readonly begun: string },
): readonly string[] {
  const command = root.commands.find((each) => each.name() === before[0]);
  const { options } = command ?? root;
  const open = options.find((option) => option.required && [option.long, option.short].includes(before.at(-1)));
  if (open !== undefined) return ofOption(open);
  if (begun.startsWith('-')) return [...options.flatMap(({ long }) => long ?? []), '--help'];
  if (before.length === 0) return commandsOf(root);
  const isFirst = before.slice(1).every((word) => word.startsWith('-'));
  return isFirst && command !== undefined ? (values.get(command.name())?.() ?? []) : [];
}

function ofOption({ argChoices, long }: Option): readonly string[] {
  return long === '--dialect' ? ['any', ...dialects.keys()] : (argChoices ?? []);
}

function commandsOf(root: Command): readonly string[] {
  return root
    .createHelp()
    .visibleCommands(root)
    .map((each) => each.name());
}
