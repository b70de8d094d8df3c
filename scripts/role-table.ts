/** Writes the table of organization roles in docs/organizations.md from what they permit. */
import { defaultRoles, statements } from '../src/features/organizations/permissions.ts'

const names = Object.keys(defaultRoles)

const rows = Object.entries(statements).flatMap(([resource, actions]) =>
  actions.map((action) => {
    const cells = names.map((name) => (defaultRoles[name]?.[resource]?.includes(action) ? 'yes' : 'no'))
    return `| \`${resource}:${action}\` | ${cells.join(' | ')} |`
  }),
)
const heading = [`| action | ${names.map((name) => `\`${name}\``).join(' | ')} |`, `| --- |${' --- |'.repeat(names.length)}`]

const block = /<!-- roles -->\n[\s\S]*?<!-- end of roles -->/

/** @throws Error for a page without the place of the table */
export function withRoleTable(page: string): string {
  if (!block.test(page)) throw new Error('docs/organizations.md needs <!-- roles --> and <!-- end of roles -->')
  return page.replace(block, () => `<!-- roles -->\n${[...heading, ...rows].join('\n')}\n<!-- end of roles -->`)
}
