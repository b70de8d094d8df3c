/** The completion scripts. Each finds out which commands stand on the line so far, and offers what may follow them. */
import type { CompletedOption, Position } from './model.ts'

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

export const completionScript = (shell: Shell, positions: readonly Position[]): string => scripts[shell](positions)

/** A word in single quotes, for bash, zsh and fish. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const namesOf = (options: readonly CompletedOption[]): string[] => options.flatMap(({ names }) => names)
const groups = (positions: readonly Position[]): string[] => positions.map(({ path }) => path).filter((path) => path !== '')
const takesValue = ({ value }: CompletedOption): boolean => value !== 'none'

/** Names of options that are followed by a value, everywhere: the word after one is no command. */
const valued = (positions: readonly Position[]): string[] => [
  ...new Set(positions.flatMap(({ options }) => namesOf(options.filter(takesValue)))),
]

/** The lines that find `place` from the words before the cursor; alike in bash and zsh, where `path` would be the search path. */
const findPlace = (positions: readonly Position[], words: string): string => `  local place='' skip='' word
  for word in ${words}; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      ${valued(positions).join('|')}) skip=1 ;;
      -*) ;;
      *) case "\${place:+$place }$word" in
        ${groups(positions)
          .map((path) => `"${path}"`)
          .join('|')}) place="\${place:+$place }$word" ;;
      esac ;;
    esac
  done`

/** A `case` over the place and the option before the cursor. */
function valueCases({ path, options }: Position, offerWords: (words: readonly string[]) => string, offerFiles: string): string[] {
  return options.filter(takesValue).map(({ names, value }) => {
    const offer = value === 'file' ? offerFiles : typeof value === 'string' ? ':' : offerWords(value)
    return `    ${names.map((name) => `"${path}:${name}"`).join('|')}) ${offer}; return ;;`
  })
}

function bash(positions: readonly Position[]): string {
  const offer = (words: readonly string[]) => `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$current"))`
  const values = positions.flatMap((position) => valueCases(position, offer, 'COMPREPLY=($(compgen -f -- "$current"))'))
  const places = positions.map(({ path, words, options }) => {
    const texts = words.map(({ text }) => text).join(' ')
    return `    "${path}") words=${quoted(texts)} options=${quoted(namesOf(options).join(' '))} ;;`
  })
  return `# bash completion for latchkey: source <(latchkey completion bash)
_latchkey() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words='' options=''
  COMPREPLY=()
${findPlace(positions, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  case "$place:$previous" in
${values.join('\n')}
  esac
  case "$place" in
${places.join('\n')}
  esac
  if [[ $current == -* || -z $words ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _latchkey latchkey
`
}

/** In `_describe` a colon separates a word from its description. */
const described = (text: string, description: string): string => quoted(`${text.replaceAll(':', '\\:')}:${description}`)

function zsh(positions: readonly Position[]): string {
  const values = positions.flatMap((position) =>
    valueCases(position, (words) => `compadd -- ${words.map(quoted).join(' ')}`, '_files'),
  )
  const places = positions.map(({ path, words, options }) => {
    const texts = words.map(({ text, description }) => described(text, description))
    const flags = options.flatMap(({ names, description }) => names.map((name) => described(name, description)))
    return `    "${path}") offered=(${texts.join(' ')}) options=(${flags.join(' ')}) ;;`
  })
  return `#compdef latchkey
# zsh completion for latchkey: source <(latchkey completion zsh), or a file _latchkey in $fpath
_latchkey() {
  local previous=\${words[CURRENT-1]}
  local -a offered options
${findPlace(positions, `"\${(@)words[2,CURRENT-1]}"`)}
  case "$place:$previous" in
${values.join('\n')}
  esac
  case "$place" in
${places.join('\n')}
  esac
  if [[ $words[CURRENT] == -* || $#offered == 0 ]]; then offered=("\${options[@]}"); fi
  _describe 'latchkey' offered
}
if [[ $funcstack[1] == _latchkey ]]; then _latchkey "$@"; else compdef _latchkey latchkey; fi
`
}

function fish(positions: readonly Position[]): string {
  const lines = positions.flatMap(({ path, words, options }) => {
    const condition = `-n ${quoted(`__latchkey_at ${quoted(path)}`)}`
    return [
      ...words.map(
        ({ text, description }) => `complete -c latchkey -f ${condition} -a ${quoted(text)} -d ${quoted(description)}`,
      ),
      ...options.map((option) => `complete -c latchkey ${condition} ${fishOption(option)}`),
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

function powershell(positions: readonly Position[]): string {
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
  return `# PowerShell completion for latchkey: latchkey completion powershell | Out-String | Invoke-Expression
$latchkeyPlaces = @{
${places.join('\n')}
}
$latchkeyValues = @{
${values.join('\n')}
}
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
  $latchkeyPlaces[$place] | Where-Object { $_[0] -like "$current*" -and ($current -like '-*' -or $_[0] -notlike '-*' -or $latchkeyPlaces[$place][0][0] -like '-*') } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1]) }
}
`
}

const scripts: Readonly<Record<Shell, (positions: readonly Position[]) => string>> = { bash, zsh, fish, powershell }
