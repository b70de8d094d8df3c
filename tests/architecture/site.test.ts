/** The sidebar of the documentation site, and the questions that its search must answer. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chapters } from '../../site/pages.ts'
import { root } from './source.ts'

test('the sidebar lists each page of the docs once', () => {
  const pages = globSync('**/*.md', { cwd: join(root, 'docs') }).map((path) => path.replace(/\.md$/, ''))
  expect(Object.values(chapters).flat().toSorted()).toEqual(pages.toSorted())
})

test('each question of a newcomer names a page that exists', () => {
  const questions: { page: string }[] = JSON.parse(readFileSync(join(root, 'site/questions.json'), 'utf8'))
  expect(questions.filter(({ page }) => !existsSync(join(root, `docs/${page}.md`)))).toEqual([])
})
