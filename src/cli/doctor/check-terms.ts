/** Checks that the texts of terms are still those that users have accepted. */
import type { OpenApp } from '../../app.ts'
import type { Config } from '../../features/index.ts'
import { readDocuments } from '../../features/terms/index.ts'
import { check, type Finding } from './finding.ts'

/** Nothing while there are no documents. */
export async function checkTerms({ db }: OpenApp['database'], config: Config): Promise<Finding[]> {
  const { documents } = readDocuments(config)
  if (documents.length === 0) return []
  const { ok, warning } = check('terms', 'Accepted terms')
  const changed: string[] = []
  for (const { id, version, hash } of documents) {
    const accepted = db.selectFrom('termsAcceptance').select('hash').distinct()
    const hashes = await accepted.where('document', '=', id).where('version', '=', version).limit(10).execute()
    if (hashes.some((row) => row.hash !== hash)) changed.push(`${id} ${version}`)
  }
  if (changed.length === 0) return [ok('Every text is the one that users have accepted')]
  return [
    warning(
      `The text of ${changed.join(', ')} has changed since users accepted it: its hash is another one`,
      'Restore the text, and give the changed one a new version.',
    ),
  ]
}
