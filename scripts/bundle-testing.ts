/** Bundles the entry `latchkey/testing` of the published package: reading 1,300 files takes longer than running what is in them. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/** Compiled code, packages with files of their own, and what few tests use: loaded when needed. `debug` does without the optional one. */
const external =
  /^(argon2|@node-rs|bcrypt|@jsquash|@simplewebauthn|pg|pino|pino-pretty|prom-client|nodemailer|supports-color|undici)(\/|$)/

/** Files that a module finds by its own place are found from the bundle, too. */
const keepPlaces = (source: string, target: string): Plugin => ({
  name: 'keep-places',
  transform: (code, id) => {
    if (!id.startsWith(source)) return null
    const [file, folder] = [id, dirname(id)].map((path) => relative(dirname(target), path))
    // TypeScript wraps an `import()` whose file is computed; it stays one of the file next to the module.
    const withFolders = code.replaceAll(
      'import(__rewriteRelativeImportExtension(`./',
      (start) => `${start.slice(0, -2)}${folder}/`,
    )
    return withFolders.replaceAll('import.meta.url', `new URL(${JSON.stringify(file)}, import.meta.url).href`)
  },
})

/** The license of each package in the bundle, as their licenses demand. */
function licensesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []))
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder })
    return `## ${name} - ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return texts.join('\n')
}

/**
 * Replaces `src/testing/index.js` of the built package by one file with all that it imports.
 * @param dist absolute path of the built package
 */
export async function bundleTesting(dist: string): Promise<void> {
  const [source, target] = [join(dist, 'src'), join(dist, 'src/testing/index.js')]
  const bundle = await rolldown({
    input: target,
    platform: 'node',
    external,
    plugins: [keepPlaces(source, target)],
    checks: { ineffectiveDynamicImport: false },
  })
  // Lines and names stay, for stack traces; the comments are in the other files of the package.
  const comments = { annotation: false, jsdoc: false, legal: true }
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, comments })
  const [{ code, moduleIds }] = output
  writeFileSync(target, code)
  writeFileSync(join(dist, 'src/testing/licenses.txt'), licensesOf(moduleIds))
}
