/** Writes the conformance statement in docs/accessibility.md from what the tests check. */
import axe from 'axe-core'
import { checked, criteria, inspections } from '../tests/browser/criteria.ts'
import { axeTags } from '../tests/browser/inspection-tags.ts'

/** `wcag1410` is criterion 1.4.10. */
const criterionOf = (tag: string): string | undefined => /^wcag(\d)(\d)(\d{1,2})$/.exec(tag)?.slice(1).join('.')

const byAxe = new Map<string, string[]>()
for (const { ruleId, tags } of axe.getRules([...axeTags]))
  for (const criterion of tags.flatMap((tag) => criterionOf(tag) ?? []))
    byAxe.set(criterion, [...(byAxe.get(criterion) ?? []), ruleId])

function checksOf(criterion: string): string[] {
  const rules = byAxe.get(criterion)
  const own = (checked[criterion] ?? []).map((check) =>
    typeof check === 'string' ? inspections[check] : `\`${check.file}\`: ${check.test}`,
  )
  return [...(rules ? [`axe-core: ${rules.map((rule) => `\`${rule}\``).join(', ')}`] : []), ...own]
}

const block = /<!-- criteria -->\n[\s\S]*?<!-- end of criteria -->/

/** @throws Error for a page without the place of the statement */
export function withAccessibilityTable(page: string): string {
  if (!block.test(page)) throw new Error('docs/accessibility.md needs <!-- criteria --> and <!-- end of criteria -->')
  const all = Object.entries(criteria).map(([number, name]) => ({ title: `${number} ${name}`, checks: checksOf(number) }))
  const rows = all.filter(({ checks }) => checks.length > 0).map(({ title, checks }) => `| ${title} | ${checks.join('; ')} |`)
  const unchecked = all.filter(({ checks }) => checks.length === 0).map(({ title }) => title)
  const statement = [
    'Every page and every declared state of it, by each run of the tests:',
    '',
    ...Object.values(inspections).map((text) => `- ${text}`),
    '',
    `${rows.length} of ${all.length} criteria of level A and AA are checked by tests, in the way the table says:`,
    '',
    '| criterion | check |',
    '| --- | --- |',
    ...rows,
    '',
    `No test checks these; they are followed in design and review: ${unchecked.join(', ')}.`,
  ]
  return page.replace(block, () => `<!-- criteria -->\n${statement.join('\n')}\n<!-- end of criteria -->`)
}
