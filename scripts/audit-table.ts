/** Writes the table of recorded events in docs/audit-log.md from what the features declare. */
import { featureList } from '../src/features/index.ts'

const rows = Object.values(featureList)
  .flatMap(({ auditActions = {} }) => Object.entries(auditActions))
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([action, declared]) => `| \`${action}\` | ${typeof declared === 'string' ? declared : declared.description} |`)

const block = /<!-- events -->\n[\s\S]*?<!-- end of events -->/

/** @throws Error for a page without the place of the table */
export function withAuditTable(page: string): string {
  if (!block.test(page)) throw new Error('docs/audit-log.md needs <!-- events --> and <!-- end of events -->')
  const table = ['| event | what happened |', '| --- | --- |', ...rows].join('\n')
  return page.replace(block, () => `<!-- events -->\n${table}\n<!-- end of events -->`)
}
