/** The documentation site builds without dead links, and newcomers find their answers by its search. */
import { createReadStream, existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumArguments, findChromium } from '../../tests/kit/servers/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const built = join(root, 'site/dist')

interface Question {
  readonly question: string
  readonly search: string
  readonly page: string
}
const questions: Question[] = JSON.parse(readFileSync(join(root, 'site/questions.json'), 'utf8'))

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const path = [pathname, `${pathname}.html`, `${pathname}/index.html`].map((each) => join(built, each)).find(isFile)
  if (path === undefined) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': types[path.split('.').pop() ?? ''] ?? 'application/octet-stream' })
  return createReadStream(path).pipe(response)
})

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

beforeAll(async () => {
  await execa('npm', ['run', 'docs:site'], { cwd: root })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
}, 240_000)
afterAll(() => server.close())

test('the site has files for language models', () => {
  const list = readFileSync(join(built, 'llms.txt'), 'utf8')
  expect(list).toContain('- [Quickstart](/quickstart.md): ')
  expect(readFileSync(join(built, 'llms-full.txt'), 'utf8').length).toBeGreaterThan(200_000)
  expect(isFile(join(built, 'guides/api.md'))).toBe(true)
})

test('every link of the built pages leads to a page and to a heading on it', () => {
  const pages = globSync('**/*.html', { cwd: built })
  const textOf = new Map(pages.map((path) => [path, readFileSync(join(built, path), 'utf8')]))
  const dead = pages.flatMap((path) =>
    [...(textOf.get(path) ?? '').matchAll(/<a [^>]*href="([^"]*)"/g)].flatMap(([, href = '']) => {
      const { host, pathname, hash } = new URL(
        href.replaceAll('&amp;', '&'),
        `http://site/${path.replace(/(index)?\.html$/, '')}`,
      )
      if (host !== 'site') return []
      const name = pathname.slice(1)
      const target = textOf.get(`${name || 'index'}.html`) ?? textOf.get(`${name}index.html`)
      if (target === undefined) return isFile(join(built, name)) ? [] : [`${path}: ${href}`]
      return hash === '' || target.includes(` id="${decodeURIComponent(hash.slice(1))}"`) ? [] : [`${path}: ${href}`]
    }),
  )
  expect(pages.length).toBeGreaterThan(40)
  expect([...new Set(dead)]).toEqual([])
})

/** Runs `work` on a page of the site. */
async function browse(path: string, work: (page: Page, origin: string) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArguments] })
  try {
    const page = await browser.newPage()
    const address = server.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' })
    await work(page, origin)
  } finally {
    await browser.close()
  }
}

test('drawings are drawn without calls to other servers, and no text of them is cut off', async () => {
  const withDrawings = globSync('**/*.md', { cwd: join(root, 'docs') }).filter((path) =>
    readFileSync(join(root, 'docs', path), 'utf8').includes('```mermaid'),
  )
  expect(withDrawings).toContain('architecture.md')
  await browse('/', async (page, origin) => {
    const elsewhere: string[] = []
    page.on('request', (request) => request.url().startsWith(origin) || elsewhere.push(request.url()))
    for (const path of withDrawings) {
      await page.goto(`${origin}/${path.replace(/\.md$/, '')}`, { waitUntil: 'networkidle' })
      const cut = await page.locator('.drawing svg').evaluateAll((drawings) =>
        drawings
          .flatMap((drawing) => {
            const { left, right } = drawing.getBoundingClientRect()
            const texts = [...drawing.querySelectorAll('text')]
            return texts.filter((text) => text.getBoundingClientRect().left < left || text.getBoundingClientRect().right > right)
          })
          .map((text) => text.textContent),
      )
      expect(cut, path).toEqual([])
      expect(await page.locator('.drawing svg').count(), path).toBeGreaterThan(0)
      expect(await page.locator('.language-mermaid').count(), path).toBe(0)
    }
    expect(elsewhere).toEqual([])
  })
}, 60_000)

test('the search answers the questions of newcomers with a page among the first three results', async () => {
  await browse('/', async (page) => {
    await page.locator('.VPNavBarSearch button').first().click()
    const missed: string[] = []
    for (const { question, search, page: expected } of questions) {
      await page.locator('#localsearch-input').fill(search)
      const results = page.locator('.VPLocalSearchBox .result')
      const firstThree = () => results.evaluateAll((all) => all.slice(0, 3).map((each) => String(each.getAttribute('href'))))
      const isFound = async () => (await firstThree()).some((href) => href.split('#')[0] === `/${expected}`)
      await expect
        .poll(isFound, { timeout: 3000 })
        .toBe(true)
        .catch(async () => {
          missed.push(`${question} (${search}): ${(await firstThree()).join(', ')}`)
        })
    }
    expect(questions.length).toBeGreaterThanOrEqual(60)
    expect(missed).toEqual([])
  })
}, 240_000)
