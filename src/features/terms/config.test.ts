/** What `config check` finds wrong with terms. */
import { expect, test } from 'vitest'
import { parseConfig } from '../../project/config/parse-config.ts'
import { featureList } from '../index.ts'

const url = 'https://example.com/privacy'
const valid = { id: 'privacy', version: '1', url }

function issuesOf(documents: readonly object[], more: object = {}): string[] {
  const parsed = parseConfig(featureList, {
    ...{ secret: '0123456789 abcdefghijklmnopqrstuvwxyz', environment: 'development', baseURL: 'http://localhost:3000' },
    ...{ database: { url: 'sqlite::memory:' }, terms: { documents, ...more } },
  } as never)
  return 'issues' in parsed ? parsed.issues.map(({ id, path }) => `${id} ${path}`) : []
}

test.each<[string, readonly object[], object, readonly string[]]>([
  ['one document', [valid], {}, []],
  ['a version twice', [valid, valid], {}, ['terms-version terms.documents.1']],
  ['two versions of one time', [valid, { ...valid, version: '2' }], {}, ['terms-version terms.documents.1']],
  ['a later version', [valid, { ...valid, version: '2', requiredFrom: '2027-01-31' }], {}, []],
  ['a missing file', [{ id: 'a', version: '1', file: '/missing.md' }], {}, ['terms-file terms.documents.0.file']],
  ['a file of another kind', [{ id: 'a', version: '1', file: '/etc/hosts' }], {}, ['terms-file terms.documents.0.file']],
  [
    'too many documents',
    Array.from({ length: 11 }, (_, at) => ({ ...valid, id: `d${at}` })),
    {},
    ['terms-documents terms.documents'],
  ],
  ['a page of an unknown origin', [valid], { pageURL: 'https://other.example.com/terms' }, ['terms-page terms.pageURL']],
])('%s', (_, documents, more, issues) => {
  expect(issuesOf(documents, more)).toEqual(issues)
})

test.each<[string, object]>([
  ['file and url', { ...valid, file: 'a.md' }],
  ['neither file nor url', { id: 'a', version: '1' }],
  ['postponeDays without requiredFrom', { ...valid, postponeDays: 3 }],
  ['a URL of another scheme', { ...valid, url: 'javascript:alert(1)' }],
  ['an id with spaces', { ...valid, id: 'a b' }],
])('%s is rejected', (_, document) => {
  expect(issuesOf([document])).toHaveLength(1)
})
