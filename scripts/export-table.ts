/** Writes the tables of docs/moving-out.md: what a complete export has, and what it leaves out. */
import { leftTables, lineTypes, partsOfUser } from '../src/features/export-all/line-types.ts'

const lines = lineTypes.map(({ type, table, description }) => {
  const parts = partsOfUser.map(({ member }) => `\`${member}\``).join(', ')
  return `| \`${type}\` | ${description}${table === 'user' ? `: \`password\`, \`totp\`, ${parts}` : ''} |`
})
const left = Object.entries(leftTables).map(([table, reason]) => `| \`${table}\` | ${reason} |`)
const text = [
  ...['| type | line |', '| --- | --- |', ...lines, ''],
  ...['### What is not in the file', '', '| table | reason |', '| --- | --- |', ...left],
].join('\n')

const block = /<!-- export tables -->\n[\s\S]*?<!-- end of export tables -->/

/** @throws Error for a page without the place of the tables */
export function withExportTables(page: string): string {
  if (!block.test(page)) throw new Error('docs/moving-out.md needs <!-- export tables --> and <!-- end of export tables -->')
  return page.replace(block, () => `<!-- export tables -->\n${text}\n<!-- end of export tables -->`)
}
