/** Writes the sections of docs/errors.md whose codes have an entry; a test demands one for each section. */
import { failures } from '../src/features/explanations/failures.ts'

const anchorOf = (code: string): string => code.toLowerCase().replaceAll('_', '-')

/** Sections without an entry stay as they are. */
export function withFailureSections(page: string): string {
  const [intro = '', ...sections] = page.split(/^(?=## )/m)
  const written = new Map(sections.map((text) => [text.slice('## '.length, text.indexOf('\n')), text]))
  for (const [code, [meaning, fix]] of Object.entries(failures))
    written.set(anchorOf(code), `## ${anchorOf(code)}\n\n\`${code}\`. ${meaning} ${fix}\n\n`)
  const first = 'codes-of-the-api'
  const names = [...written.keys()].filter((name) => name !== first).sort()
  return `${intro}${[first, ...names].map((name) => `${(written.get(name) ?? '').trimEnd()}\n`).join('\n')}`
}
