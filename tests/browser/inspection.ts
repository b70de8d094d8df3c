/** What must hold on every page: axe finds nothing, nothing scrolls sideways, and every text comes from the catalogue. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { App } from '../../src/core/app.ts'
import type { HostedModule } from '../../src/core/hosted.ts'
import type { DashboardFile } from '../../src/core/ports.ts'
import { axeTags } from './inspection-tags.ts'

const sources = fileURLToPath(new URL('../../dashboard/src/', import.meta.url))

interface DeclaredScreen {
  readonly path: string
  readonly access: string
}

const build = new URL('../../dashboard/dist/', import.meta.url)
const hosted: HostedModule = await import(new URL('render.js', build).href)

/** All screens that the folders declare, as the build has listed them, and the hosted pages. */
export const declaredScreens: readonly DeclaredScreen[] = [
  ...JSON.parse(readFileSync(new URL('pages.json', build), 'utf8')),
  ...hosted.declaredPages,
]

/** The names of the components that files of these folders export. */
export const exportedComponents = (pattern: string): string[] =>
  globSync(pattern, { cwd: sources }).flatMap((file) =>
    [...readFileSync(sources + file, 'utf8').matchAll(/^export (?:const|function) ([A-Z][a-z]\w*)/gm)].map(
      ([, name = '']) => name,
    ),
  )

/** Opens a page of this site and waits for its content. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await settle(page)
}

/** Runs in the page, whose types this program does not have. A text would not do: one with a function is true without being called. */
const isSettled = new Function(`
  const isShown = document.querySelector('h1')?.checkVisibility() && document.fonts.status === 'loaded'
  return isShown && !document.querySelector('main .pulse, main [aria-busy=true]')
`) as () => boolean

/** Waits until the page has its heading, and nothing is loading: in the page, with one message to the browser. */
const settle = (page: Page) => page.waitForFunction(isSettled)

const axeFile = 'assets/axe.js'

/** Serves axe as a file of the pages: Chromium compiles a file of its cache once, and a script of `evaluate` each time. */
export function serveAxe({ dashboard }: App): void {
  const bytes = new Uint8Array(readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js'))))
  const files = dashboard?.files as Map<string, DashboardFile>
  files.set(axeFile, { contentType: 'text/javascript', bytes, br: null, gzip: null })
}

/** Of a site with `serveAxe`. For states without a network: before them. */
export async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.addScriptTag({ url: `/${axeFile}` })
}

/** What a theme changes. */
const colors = ['color-contrast']

/** Hosted pages without a choice have that of the system. */
const shownTheme =
  "document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')"
const isShown = new Function('theme', `return (${shownTheme}) === theme`) as (theme: string) => boolean

/** What floats above a page makes the rest of it inert, and belongs to none of its landmarks. */
const floating = '[role=dialog], [role=alertdialog], [role=menu]'

/** WCAG 2.2 AA and the recommendations of axe; the colors in both themes. Of a page with a dialog or menu, only that. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  await loadAxe(page)
  const isCovered = (await page.locator(floating).count()) > 0
  const theme = await page.evaluate(shownTheme)
  const other = theme === 'light' ? 'dark' : 'light'
  await inspect(page, `${state}, ${theme}`, isCovered, { runOnly: [...axeTags], rules: { region: { enabled: !isCovered } } })
  await page.emulateMedia({ colorScheme: other })
  await page.waitForFunction(isShown, other)
  await inspect(page, `${state}, ${other}`, isCovered, { runOnly: { type: 'rule', values: colors } })
}

async function inspect(page: Page, state: string, isCovered: boolean, options: axe.RunOptions): Promise<void> {
  // Emails are shown in a sandbox without scripts.
  const all = JSON.stringify({ ...options, iframes: false, resultTypes: ['violations'] })
  const found: axe.AxeResults = await page.evaluate(`axe.run(${isCovered ? JSON.stringify(floating) : 'document'}, ${all})`)
  const violations = found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
  expect(violations, state).toEqual([])
}

/** A phone of 320 px, and 1200 px at a zoom of 200 % (WCAG 2.2 §1.4.10 and §1.4.4). */
const widths = [1200, 600, 320]

export async function expectNoSidewaysScroll(page: Page, state: string): Promise<void> {
  const size = page.viewportSize()
  for (const width of widths) {
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 800 })
    // What floats moves after the window has changed.
    const excess = expect.poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), {
      message: `${state} at ${width} px is wider than the window by`,
    })
    await excess.toBeLessThanOrEqual(0)
  }
  if (size) await page.setViewportSize(size)
}

/** What is current, chosen or on, but has neither an outline nor a mark of the browser. */
const collectUnmarked = `(() => {
  const chosen = '[aria-current]:not([aria-current=false]), [aria-selected=true], [aria-pressed=true], label:has(> input[type=radio]:checked)'
  const isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0
  const plain = [...document.querySelectorAll(chosen)].filter((each) => isShown(each) && getComputedStyle(each).outlineStyle === 'none')
  const boxes = [...document.querySelectorAll('input[type=checkbox]')].filter((each) => isShown(each) && getComputedStyle(each).appearance === 'none')
  return [...plain, ...boxes].map((each) => each.outerHTML.slice(0, 200))
})()`

/** Forced colors, such as those of high contrast, remove grounds and shadows. */
export async function expectForcedColors(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await page.evaluate(collectUnmarked), `${state}, forced colors`).toEqual([])
  await page.emulateMedia({ forcedColors: 'none' })
}

const collectMoving = `[...document.querySelectorAll('body *')].filter((each) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(each)
  return (animationName !== 'none' && /[1-9]/.test(animationDuration)) || /[1-9]/.test(transitionDuration)
}).map((each) => each.outerHTML.slice(0, 200))`

/** Leaves the preference on: colors of a page that still moves cannot be measured. */
export async function expectNoMotion(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await page.evaluate(collectMoving), `${state}, reduced motion`).toEqual([])
}

/**
 * In the pseudo-locale `en-XA`, each text of the catalogue stands in brackets, also one inside another.
 * @param known texts that are not messages, such as the name of the user
 */
export async function expectCatalogueTexts(page: Page, known: readonly string[]): Promise<void> {
  const texts = (await page.evaluate(collectTexts)) as readonly string[]
  const outside = texts.filter((text) => {
    const rest = known.reduce((left, each) => left.replaceAll(each, ''), withoutBrackets(text))
    return /\p{L}/u.test(rest)
  })
  expect(outside).toEqual([])
}

/** A sentence may name the system with a text of the catalogue: the innermost brackets go first. */
function withoutBrackets(text: string): string {
  const rest = text.replaceAll(/\[[^[\]]*\]/g, '')
  return rest === text ? text : withoutBrackets(rest)
}

/** Visible texts and names for assistive technology, but code, times, languages in their own words, and names of devices. */
const collectTexts = `(() => {
  const skipped = 'script, style, noscript, title, time, code, pre, svg, iframe, [lang]:not(html), [translate=no], [aria-hidden=true], .font-mono'
  // A message with links inside: brackets stand around all of it.
  const sentences = [...document.querySelectorAll('[data-sentence]')].filter((each) => each.checkVisibility())
  const texts = sentences.map((each) => each.textContent)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement
    if (!parent.closest(skipped + ', [data-sentence]') && parent.checkVisibility()) texts.push(walker.currentNode.data)
  }
  for (const name of ['aria-label', 'placeholder', 'alt'])
    for (const element of document.querySelectorAll('[' + name + ']')) if (!element.closest(skipped)) texts.push(element.getAttribute(name))
  return texts.filter((text) => text.trim() !== '')
})()`
