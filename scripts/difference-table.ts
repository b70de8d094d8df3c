/** Writes the table of docs/moving-from-better-auth.md from the differences that the command reports. */
import { moveDifferences, movePage } from '../src/features/move/differences.ts'

const rows = moveDifferences.map(
  ({ anchor, title, applies, change, isDerived }, at) =>
    `| ${at + 1} | [${title}](#${anchor}) | ${applies} | ${change}${isDerived ? ' (derived)' : ''} |`,
)

const block = /<!-- ten differences -->\n[\s\S]*?<!-- end of ten differences -->/

/** @throws Error for a page without the place of the table, or without the section of a difference */
export function withDifferenceTable(page: string): string {
  if (!block.test(page)) throw new Error(`${movePage} needs <!-- ten differences --> and <!-- end of ten differences -->`)
  const sections = new Set([...page.matchAll(/^### (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-')))
  const missing = moveDifferences.filter(({ anchor }) => !sections.has(anchor))
  if (missing.length > 0) throw new Error(`${movePage} has no section ${missing.map(({ anchor }) => anchor).join(', ')}`)
  const table = ['| | difference | applies when | switch |', '| --- | --- | --- | --- |', ...rows].join('\n')
  return page.replace(block, () => `<!-- ten differences -->\n${table}\n<!-- end of ten differences -->`)
}
