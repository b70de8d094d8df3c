/** The completion scripts. Each finds the commands typed so far and offers what can follow them. */
import { quoted } from '../../lib/text.ts'
import type { CompletedOption, Position, Shell } from './completion-command.ts'

export const completionScript = (shell: Shell, positions: readonly Position[]): string => scripts[shell](positions)

const namesOf = (options: readonly CompletedOption[]): string[] => options.flatMap(({ names }) => names)
const groups = (positions: readonly Position[]): string[] => positions.map(({ path }) => path).filter((path) => path !== '')
const takesValue = ({ value }: CompletedOption): boolean => value !== 'none'

/** Names of options with a value: the word after one is not a command. */
const valued = (positions: readonly Position[]): string[] => [
  ...new Set(positions.flatMap(({ options }) => namesOf(options.filter(takesValue)))),
]

/** What differs between bash and zsh. */
interface Dialect {
  /** The words before the cursor. */
  readonly typed: string
  readonly offer: (words: readonly string[]) => string
  readonly offerFiles: string
  /** Assigns what can follow at a position. */
  readonly assign: (position: Position) => string
}

/**
 * The common part of bash and zsh: finds `place` from the words before the cursor, offers the values of the option there, or
 * assigns what can follow. `path` is taken: it is the search path of zsh.
 */
function commonPart(positions: readonly Position[], { typed, offer, offerFiles, assign }: Dialect): string {
  const values = positions.flatMap(({ path, options }) =>
    options.filter(takesValue).map(({ names, value }) => {
      const offered = value === 'file' ? offerFiles : typeof value === 'string' ? ':' : offer(value)
      return `    ${names.map((name) => `"${path}:${name}"`).join('|')}) ${offered}; return ;;`
    }),
  )
  const groupNames = groups(positions).map((path) => `"${path}"`)
  return `  local place='' skip='' word
  for word in ${typed}; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      ${valued(positions).join('|')}) skip=1 ;;
      -*) ;;
      *) case "\${place:+$place }$word" in
        ${groupNames.join('|')}) place="\${place:+$place }$word" ;;
      esac ;;
    esac
  done
  case "$place:$previous" in
${values.join('\n')}
  esac
  case "$place" in
${positions.map((position) => `    "${position.path}") ${assign(position)} ;;`).join('\n')}
  esac`
}

function bash(positions: readonly Position[]): string {
  const common = commonPart(positions, {
    typed: `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`,
    offer: (words) => `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$current"))`,
    offerFiles: '_latchkey_files "$current"',
    assign: ({ words, options, takesFile }) => {
      const texts = words.map(({ text }) => text).join(' ')
      return `words=${quoted(texts)} options=${quoted(namesOf(options).join(' '))} files=${takesFile ? 1 : ''}`
    },
  })
  return `# bash completion for latchkey: source <(latchkey completion bash)
_latchkey_files() {
  # One line is one name, because names may contain spaces.
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$1"))
  compopt -o filenames 2>/dev/null
}
_latchkey() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words='' options='' files=''
  COMPREPLY=()
${common}
  if [[ $current != -* && -n $files ]]; then _latchkey_files "$current"; return; fi
  if [[ $current == -* || -z $words ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _latchkey latchkey
`
}

/** In `_describe` a colon separates a word from its description. */
const described = (text: string, description: string): string => quoted(`${text.replaceAll(':', '\\:')}:${description}`)

function zsh(positions: readonly Position[]): string {
  const common = commonPart(positions, {
    typed: `"\${(@)words[2,CURRENT-1]}"`,
    offer: (words) => `compadd -- ${words.map(quoted).join(' ')}`,
    offerFiles: '_files',
    assign: ({ words, options, takesFile }) => {
      const texts = words.map(({ text, description }) => described(text, description))
      const flags = options.flatMap(({ names, description }) => names.map((name) => described(name, description)))
      return `offered=(${texts.join(' ')}) options=(${flags.join(' ')}) files=${takesFile ? 1 : ''}`
    },
  })
  return `#compdef latchkey
# zsh completion for latchkey: source <(latchkey completion zsh), or a file _latchkey in $fpath
_latchkey() {
  local previous=\${words[CURRENT-1]} files=''
  local -a offered options
${common}
  if [[ $words[CURRENT] != -* && -n $files ]]; then _files; return; fi
  if [[ $words[CURRENT] == -* || $#offered == 0 ]]; then offered=("\${options[@]}"); fi
  _describe 'latchkey' offered
}
if [[ $funcstack[1] == _latchkey ]]; then _latchkey "$@"; else compdef _latchkey latchkey; fi
`
}

function fish(positions: readonly Position[]): string {
  const lines = positions.flatMap(({ path, words, options, takesFile }) => {
    const condition = `-n ${quoted(`__latchkey_at ${quoted(path)}`)}`
    return [
      ...words.map(
        ({ text, description }) => `complete -c latchkey -f ${condition} -a ${quoted(text)} -d ${quoted(description)}`,
      ),
      ...options.map((option) => `complete -c latchkey ${condition} ${fishOption(option)}`),
      ...(takesFile ? [`complete -c latchkey -F ${condition}`] : []),
    ]
  })
  return `# fish completion for latchkey: latchkey completion fish | source
function __latchkey_at
  set -l place
  set -l skip 0
  for word in (commandline -opc)[2..]
    if test $skip = 1
      set skip 0
    else if contains -- $word ${valued(positions).join(' ')}
      set skip 1
    else if not string match -q -- '-*' $word; and contains -- (string join ' ' $place $word) ${groups(positions).map(quoted).join(' ')}
      set -a place $word
    end
  end
  test "$place" = "$argv[1]"
end
complete -c latchkey -f
${lines.join('\n')}
`
}

function fishOption({ names, description, value }: CompletedOption): string {
  const spelled = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ')
  const follows = { none: '-f', any: '-x', file: '-r -F' }
  const after = typeof value === 'string' ? follows[value] : `-x -a ${quoted(value.join(' '))}`
  return `${spelled} ${after} -d ${quoted(description)}`
}

/** In PowerShell a quote inside single quotes is doubled. */
const powershellText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The words and options of every position, and the values of every option, as rows of PowerShell hash tables. */
function powershellTables(positions: readonly Position[]): { readonly places: string; readonly values: string } {
  const places = positions.map(({ path, words, options }) => {
    const rows = [
      ...words.map(({ text, description }) => [text, description]),
      ...options.flatMap(({ names, description }) => names.map((name) => [name, description])),
    ]
    return `  ${powershellText(path)} = @(${rows.map(([text = '', description = '']) => `@(${powershellText(text)}, ${powershellText(description)})`).join(', ')})`
  })
  const values = positions.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      typeof value === 'string'
        ? []
        : names.map((name) => `  ${powershellText(`${path}:${name}`)} = @(${value.map(powershellText).join(', ')})`),
    ),
  )
  return { places: places.join('\n'), values: values.join('\n') }
}

function powershell(positions: readonly Position[]): string {
  const { places, values } = powershellTables(positions)
  return `# PowerShell completion for latchkey: latchkey completion powershell | Out-String | Invoke-Expression
$latchkeyPlaces = @{
${places}
}
$latchkeyValues = @{
${values}
}
$latchkeyFiles = @(${positions
    .filter(({ takesFile }) => takesFile)
    .map(({ path }) => powershellText(path))
    .join(', ')})
$latchkeyValued = @(${valued(positions).map(powershellText).join(', ')})
Register-ArgumentCompleter -Native -CommandName latchkey -ScriptBlock {
  param($current, $line, $cursor)
  $typed = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $place = ''
  $skip = $false
  foreach ($word in $typed) {
    if ($skip) { $skip = $false; continue }
    if ($latchkeyValued -ccontains $word) { $skip = $true; continue }
    $next = "$place $word".Trim()
    if ($latchkeyPlaces.ContainsKey($next)) { $place = $next }
  }
  if ($skip) {
    $latchkeyValues["\${place}:$($typed[-1])"] | Where-Object { $_ -like "$current*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
    return
  }
  # Without a result, PowerShell completes files.
  if ($latchkeyFiles -ccontains $place -and $current -notlike '-*') { return }
  $latchkeyPlaces[$place] | Where-Object { $_[0] -like "$current*" -and ($current -like '-*' -or $_[0] -notlike '-*' -or $latchkeyPlaces[$place][0][0] -like '-*') } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1]) }
}
`
}

const scripts: Readonly<Record<Shell, (positions: readonly Position[]) => string>> = { bash, zsh, fish, powershell }
