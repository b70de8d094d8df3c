/** The documentation site: the pages of docs as they are, with a sidebar, local search, and files for language models. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { drawingOf, drawingStyle } from '../drawings.ts'
import { chapters } from '../pages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const docs = join(root, 'docs')
const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Releases that are published next to this one, newest first: `scripts/build-site.ts` names them. */
const versions: { label: string; link: string }[] = JSON.parse(process.env.SITE_VERSIONS ?? '[]')
/** Where the files of the repository are shown that are no pages, such as `../src/core/feature.ts`. */
const repository = process.env.SITE_REPOSITORY
/** The path of this version. */
const base = process.env.SITE_BASE ?? '/'

const names = Object.values(chapters).flat()
const textOf = (name: string) => readFileSync(join(docs, `${name}.md`), 'utf8')
const titleOf = (name: string) => /^# (.*)$/m.exec(textOf(name))?.[1]?.replaceAll('`', '') ?? name
/** Below "Guides by task" the word is not needed. */
const shortTitleOf = (name: string) => titleOf(name).replace(/^Guide: (.)/, (_, first: string) => first.toUpperCase())
const linkOf = (name: string) => (name === 'README' ? '/' : `/${name}`)
/** The first sentence of a page, which says what the reader can do after it. */
function summaryOf(name: string): string {
  const paragraph = /^[^#\n<!|`].*(?:\n.+)*/m.exec(textOf(name))?.[0] ?? ''
  const text = paragraph.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
}

/** Pages link each other as files, as GitHub shows them; everything outside of docs is only in the repository. */
function resolveLink(href: string, page: string): string | null {
  if (/^([a-z]+:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = posix.join('docs', posix.dirname(page), path)
  const name = target.replace(/^docs\//, '').replace(/\.md$/, '')
  if (target.startsWith('docs/') && names.includes(name)) return `${linkOf(name)}${anchor === undefined ? '' : `#${anchor}`}`
  return repository ? `${repository}/blob/v${version}/${target}` : null
}

/** As GitHub derives anchors. */
const slugify = (title: string) =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

export default defineConfig({
  title: 'Latchkey',
  description,
  base,
  lang: 'en',
  srcDir: '../docs',
  outDir: './dist',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  lastUpdated: false,
  appearance: true,
  head: [['style', {}, drawingStyle]],
  markdown: {
    // Text such as `<user>` is text, as on GitHub; markers of generated parts are left out.
    html: false,
    anchor: { slugify },
    headers: { slugify },
    toc: { slugify },
    config: (markdown) => {
      const { fence } = markdown.renderer.rules
      markdown.renderer.rules.fence = (...given) => {
        const { info, content } = given[0][given[1]]
        return info.trim() === 'mermaid' ? drawingOf(content) : fence(...given)
      }
      markdown.core.ruler.after('normalize', 'markers', (state) => {
        state.src = state.src.replaceAll(/^ *<!-- [\s\S]*? -->\n/gm, '')
      })
      markdown.core.ruler.push('links', ({ tokens, env }) => {
        const page: string = (env as { relativePath: string }).relativePath.replace(/^index\.md$/, 'README.md')
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          if (token.type !== 'link_open') continue
          const href = resolveLink(String(token.attrGet('href')), page)
          if (href === null) {
            token.attrs = []
            token.tag = 'span'
            token.meta = 'outside'
          } else token.attrSet('href', href)
        }
        for (const { children } of tokens) {
          let isOutside = false
          for (const token of children ?? []) {
            if (token.type === 'link_open') isOutside = token.meta === 'outside'
            if (token.type === 'link_close' && isOutside) token.tag = 'span'
          }
        }
      })
    },
  },
  themeConfig: {
    nav: [
      { text: 'Quickstart', link: '/quickstart' },
      { text: 'Reference', link: '/configuration-reference' },
      ...(versions.length === 0
        ? [{ text: `v${version}`, link: '/releases' }]
        : // Every version is a site of its own, so that its pages are loaded anew.
          [
            {
              text: `v${version}`,
              items: versions.map(({ label, link }) => ({ text: label, link, target: '_self', noIcon: true })),
            },
          ]),
    ],
    sidebar: Object.entries(chapters).map(([text, pages]) => ({
      text,
      collapsed: false,
      items: pages.map((name) => ({ text: shortTitleOf(name), link: linkOf(name) })),
    })),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        detailedView: false,
        miniSearch: {
          searchOptions: {
            // Long references have every word many times: guides first.
            boostDocument: (id: string) => (/\/(cli|configuration-reference|errors|compatibility)(#|\.|$)/.test(id) ? 0.3 : 1),
          },
        },
      },
    },
    footer: { message: 'MIT License', copyright: `Latchkey ${version}` },
  },
  buildEnd: ({ outDir }) => {
    const lines = Object.entries(chapters).flatMap(([chapter, pages]) => [
      `\n## ${chapter}\n`,
      ...pages.map((name) => `- [${titleOf(name)}](${base}${name}.md): ${summaryOf(name)}`),
    ])
    writeFileSync(join(outDir, 'llms.txt'), `# Latchkey\n\n> ${description}\n${lines.join('\n')}\n`)
    writeFileSync(join(outDir, 'llms-full.txt'), names.map((name) => `<!-- ${name}.md -->\n\n${textOf(name)}`).join('\n'))
    for (const name of names) {
      mkdirSync(dirname(join(outDir, `${name}.md`)), { recursive: true })
      copyFileSync(join(docs, `${name}.md`), join(outDir, `${name}.md`))
    }
  },
})
