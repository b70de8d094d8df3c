/** The documentation site, below a path and with an older version: no dead links, drawings, versions, and a search for newcomers. */
import { createReadStream, existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { siteVersions, versionLinks } from '../../scripts/build-site.ts'
import { chromiumArguments, findChromium } from '../../tests/kit/servers/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const built = join(root, 'site/dist')
/** The path of a site on GitHub Pages. */
const base = '/latchkey/'

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
  const name = pathname.startsWith(base) ? pathname.slice(base.length) : '404'
  const path = [name, `${name}.html`, `${name}/index.html`].map((each) => join(built, each)).find(isFile)
  if (path === undefined) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': types[path.split('.').pop() ?? ''] ?? 'application/octet-stream' })
  return createReadStream(path).pipe(response)
})

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

let origin = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const versions = siteVersions(['v0.1.0', 'v0.2.0'])
  const env = { SITE_BASE: base, SITE_VERSIONS: JSON.stringify(versionLinks(versions, `${origin}/latchkey`)) }
  await execa('npm', ['run', 'docs:site'], { cwd: root, env })
}, 240_000)
afterAll(() => server.close())

test('the site has files for language models', () => {
  const list = readFileSync(join(built, 'llms.txt'), 'utf8')
  expect(list).toContain('- [Quickstart](/latchkey/quickstart.md): ')
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
        `http://site${base}${path.replace(/(index)?\.html$/, '')}`,
      )
      if (host !== 'site') return []
      if (!pathname.startsWith(base)) return [`${path}: ${href}`]
      const name = pathname.slice(base.length)
      const target = textOf.get(`${name || 'index'}.html`) ?? textOf.get(`${name}index.html`)
      if (target === undefined) return isFile(join(built, name)) ? [] : [`${path}: ${href}`]
      return hash === '' || target.includes(` id="${decodeURIComponent(hash.slice(1))}"`) ? [] : [`${path}: ${href}`]
    }),
  )
  expect(pages.length).toBeGreaterThan(40)
  expect([...new Set(dead)]).toEqual([])
})

/** Runs `work` on a page of the site. */
async function browse(path: string, work: (page: Page) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArguments] })
  try {
    const page = await browser.newPage()
    await page.goto(`${origin}${base}${path}`, { waitUntil: 'networkidle' })
    await work(page)
  } finally {
    await browser.close()
  }
}

test('a menu leads from any page to the other versions', async () => {
  await browse('guides/api', async (page) => {
    await page.locator('.VPNavBarMenuGroup').hover()
    const links = page.locator('.VPNavBarMenuGroup a')
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      `${origin}/latchkey/`,
      `${origin}/latchkey/v0.1/`,
    ])
    expect(await links.allTextContents()).toEqual(['v0.2 (newest)', 'v0.1'])
  })
}, 60_000)

test('drawings are drawn without calls to other servers, and no text of them is cut off', async () => {
  const withDrawings = globSync('**/*.md', { cwd: join(root, 'docs') }).filter((path) =>
    readFileSync(join(root, 'docs', path), 'utf8').includes('```mermaid'),
  )
  expect(withDrawings).toContain('architecture.md')
  await browse('', async (page) => {
    const elsewhere: string[] = []
    page.on('request', (request) => request.url().startsWith(origin) || elsewhere.push(request.url()))
    for (const path of withDrawings) {
      await page.goto(`${origin}${base}${path.replace(/\.md$/, '')}`, { waitUntil: 'networkidle' })
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
  await browse('', async (page) => {
    await page.locator('.VPNavBarSearch button').first().click()
    const missed: string[] = []
    for (const { question, search, page: expected } of questions) {
      await page.locator('#localsearch-input').fill(search)
      const results = page.locator('.VPLocalSearchBox .result')
      const firstThree = () => results.evaluateAll((all) => all.slice(0, 3).map((each) => String(each.getAttribute('href'))))
      const isFound = async () => (await firstThree()).some((href) => href.split('#')[0] === `${base}${expected}`)
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
