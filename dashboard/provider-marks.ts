/**
 * The marks of sign-in providers: for the application as one file of symbols, which a page loads only when it shows one, and for hosted
 * pages as rules of their style. They cost no JavaScript. Brands that `simple-icons` does not have are shown by their first letter.
 */
import * as icons from 'simple-icons'
import type { Plugin } from 'vite'
import { providers } from '../src/features/social-sign-in/providers/index.ts'

/** Where the name of the brand is not the ID of the provider. */
const brands: Readonly<Record<string, string>> = { twitter: 'x' }

const bySlug = new Map(Object.values(icons).flatMap((icon) => ('slug' in icon ? [[icon.slug, icon] as const] : [])))

/** IDs of providers with the outline of their mark, in a square of 24 units. */
const marks = new Map(
  Object.keys(providers).flatMap((id) => {
    const icon = bySlug.get(brands[id] ?? id)
    return icon ? [[id, icon.path] as const] : []
  }),
)

const symbols = [...marks].map(([id, path]) => `<symbol id="${id}" viewBox="0 0 24 24"><path d="${path}"/></symbol>`)
const sprite = `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`

const dataURL = (path: string): string =>
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path d='${path}'/></svg>`

/** A mark is a hole in the form of the brand, through which the color of the text is seen. */
export const markRules = [...marks].map(([id, path]) => `.mark-${id}{mask-image:url("${dataURL(path)}")}`).join('')

const virtual = 'virtual:provider-marks'
const resolved = `\0${virtual}`
const fileName = 'provider-marks.svg'

/** The module `virtual:provider-marks`: the URL of the file, and the IDs of its symbols. */
export function providerMarks(): Plugin {
  let isServing = false
  return {
    name: 'provider-marks',
    configResolved({ command }) {
      isServing = command === 'serve'
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('content-type', 'image/svg+xml').end(sprite)
      })
    },
    resolveId: (id) => (id === virtual ? resolved : null),
    load(id) {
      if (id !== resolved) return null
      const url = isServing
        ? JSON.stringify(`/${fileName}`)
        : `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'asset', name: fileName, source: sprite })}`
      return `export const url = ${url}\nexport const ids = ${JSON.stringify([...marks.keys()])}`
    },
  }
}
